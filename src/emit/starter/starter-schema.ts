/** The starter schema of a new project. */
import type { Dialect } from '../../model/content-model.ts';
import { render } from '../template.ts';

/** `name` is the npm name of the project, `database` the engine it uses first. */
export function starterSchema({
  name,
  database,
}: {
  readonly name: string;
  readonly database: Dialect;
}): Promise<string> {
  const databases = database === 'sqlite' ? ['sqlite', 'postgres'] : [database];
  return render('schema.yaml', { name, databases: databases.join(', ') });
}
