/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables of this process. The only place that reads them. */
export function processEnvironment(): Environment {
  return process.env;
}
