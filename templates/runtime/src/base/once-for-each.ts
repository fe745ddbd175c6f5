/** Functions whose results are made once for each name. */

/** Calls `make` once for each name that it is asked for, and keeps what it returns. */
export function onceForEach<Made>(make: (name: string) => Made): (name: string) => Made {
  const made = new Map<string, Made>();
  return (name) => {
    if (!made.has(name)) made.set(name, make(name));
    return made.get(name) as Made;
  };
}
