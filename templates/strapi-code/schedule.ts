/** Tasks at times given as cron rules. Yours to change. */

function matches(field: string, value: number, first: number): boolean {
  return field.split(',').some((part) => {
    const [range = '*', step] = part.split('/');
    const [from, to] = range === '*' ? [first, Infinity] : range.split('-').map(Number);
    const last = to ?? (step === undefined ? from : Infinity);
    return value >= Number(from) && value <= Number(last) && (value - Number(from)) % Number(step ?? 1) === 0;
  });
}

function isDue(rule: string, now: Date): boolean {
  const fields = rule.trim().split(/\s+/u);
  const [second, minute, hour, day, month, weekday] = fields.length === 6 ? fields : ['0', ...fields];
  return (
    matches(second ?? '*', now.getSeconds(), 0) &&
    matches(minute ?? '*', now.getMinutes(), 0) &&
    matches(hour ?? '*', now.getHours(), 0) &&
    matches(day ?? '*', now.getDate(), 1) &&
    matches(month ?? '*', now.getMonth() + 1, 1) &&
    (matches(weekday ?? '*', now.getDay(), 0) || (now.getDay() === 0 && matches(weekday ?? '*', 7, 0)))
  );
}

/** Runs `task` whenever the cron rule says so, in the time zone of the process. `failed` gets what it throws. */
export function schedule(rule: string, task: () => unknown, failed: (error: unknown) => void): void {
  let last = 0;
  setInterval(() => {
    const now = Math.floor(Date.now() / 1000);
    // A timer can be late: no second is left out, and none is taken twice.
    for (let second = last === 0 ? now : Math.max(last + 1, now - 60); second <= now; second += 1) {
      if (isDue(rule, new Date(second * 1000))) Promise.resolve().then(task).catch(failed);
    }
    last = now;
  }, 500).unref();
}
