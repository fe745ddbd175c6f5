/** Contexts that create their entries and logger on first access: most hooks use neither. */
import type { Logger } from 'pino';
import type { Transaction } from '../../database/write-plan.ts';
import type { ExtensionContext, TransactionContext } from '../extension-context.ts';
import type { AnyEntries } from './any-entries.ts';

type AnyContext = ExtensionContext<AnyEntries>;

interface Making extends Pick<AnyContext, 'mailer' | 'sessions' | 'roles' | 'inTransaction'> {
  entries(): AnyEntries;
  jobs(): AnyContext['jobs'];
  log(): Logger;
}

export class LazyContext implements AnyContext {
  readonly mailer: AnyContext['mailer'];
  readonly sessions: AnyContext['sessions'];
  readonly roles: AnyContext['roles'];
  readonly inTransaction: AnyContext['inTransaction'];
  readonly #making: Making;
  #entries: AnyEntries | undefined;
  #jobs: AnyContext['jobs'] | undefined;
  #log: Logger | undefined;

  constructor(making: Making) {
    this.mailer = making.mailer;
    this.sessions = making.sessions;
    this.roles = making.roles;
    this.inTransaction = making.inTransaction;
    this.#making = making;
  }

  get entries(): AnyEntries {
    return (this.#entries ??= this.#making.entries());
  }

  get jobs(): AnyContext['jobs'] {
    return (this.#jobs ??= this.#making.jobs());
  }

  get log(): Logger {
    return (this.#log ??= this.#making.log());
  }
}

export class LazyTransactionContext extends LazyContext implements TransactionContext<AnyEntries> {
  readonly transaction: Transaction;

  /** `inTransaction` runs its work in this transaction. */
  constructor(making: Omit<Making, 'inTransaction'>, transaction: Transaction) {
    super({ ...making, inTransaction: (work) => work(this) });
    this.transaction = transaction;
  }
}
