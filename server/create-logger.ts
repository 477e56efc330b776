import { trace } from '@opentelemetry/api';
import { pino } from 'pino';
import { describeError } from '../clients/cli/terminal/describe-error.ts';
import type { Logger } from '../core/base/logger.ts';
import type { LogLevel } from './config/config-schema.ts';

/** Fields whose values are never logged, at the top and one level down. */
const secretFields = [
  'apiKey',
  'apikey',
  'authToken',
  'authtoken',
  'authorization',
  'cookie',
  'set-cookie',
  'session',
  'masterKey',
  'password',
  'privateKey',
  'secret',
  'signature',
];

/** Connects log lines and traces. Empty while no request is traced. */
function traceOfRequest(): { readonly traceId?: string } {
  const traceId = trace.getActiveSpan()?.spanContext().traceId;
  return traceId === undefined ? {} : { traceId };
}

/**
 * JSON lines on stderr, or in a file: stdout is for the output of commands. Of an error, `err`, only the parts without
 * secrets are logged.
 */
export function createLogger(level: LogLevel, file?: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      mixin: traceOfRequest,
      redact: {
        paths: secretFields.flatMap((field) => [field, `*.${field}`, `req.headers.${field}`]),
        censor: '[redacted]',
      },
    },
    pino.destination({ dest: file ?? 2, sync: false, ...(file === undefined ? {} : { mode: 0o600 }) }),
  );
}
