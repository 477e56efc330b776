import type { Logger } from '../../core/base/logger.ts';
import { createLogger } from '../create-logger.ts';
import type { DevOptions } from './dev-options.ts';

/**
 * The log of `tollfree dev`: JSON lines in a file, to keep the developer's output readable, and a plain line on stderr for
 * each warning and error. With `--log-level` the JSON lines go to stderr, like those of a service.
 */
export function createDevLogger({ logLevel }: Pick<DevOptions, 'logLevel'>, logFile: string): Logger {
  if (logLevel !== undefined) return createLogger(logLevel);
  const file = createLogger('info', logFile);
  const alsoPlain = (level: 'warn' | 'error') => (fields: object, message: string) => {
    file[level](fields, message);
    process.stderr.write(`! ${message} (details: ${logFile})\n`);
  };
  return {
    debug: (fields, message) => file.debug(fields, message),
    info: (fields, message) => file.info(fields, message),
    warn: alsoPlain('warn'),
    error: alsoPlain('error'),
  };
}
