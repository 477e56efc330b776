/**
 * Structured logger (pino has this shape). Never pass it a secret. Log a failure with the caught error as `err`: the logger
 * redacts it, since messages of nodes and libraries may contain anything.
 */
export type Logger = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};
