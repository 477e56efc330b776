/**
 * Structured logger (pino has this shape). Never given a secret. A failure is logged with what was caught, as `err`, and the
 * logger takes out of it what may be a secret: messages of nodes and libraries can hold anything.
 */
export type Logger = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};
