import type { Logger } from '../../core/base/logger.ts';

export type LogLine = { readonly level: keyof Logger; readonly fields: object; readonly message: string };

/** A logger whose lines a test can read. */
export function createRecordingLogger(): { logger: Logger; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const write = (level: keyof Logger) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  return { logger: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }, lines };
}
