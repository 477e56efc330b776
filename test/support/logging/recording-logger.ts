import type { Logger } from '../../../core/base/logger.ts';

export type LogLine = { readonly level: keyof Logger; readonly fields: object; readonly message: string };

/** A logger whose lines a test can read. `note` is called with each as well. */
export function createRecordingLogger(note: (line: LogLine) => void = () => {}): {
  readonly logger: Logger;
  readonly lines: LogLine[];
} {
  const lines: LogLine[] = [];
  const write = (level: keyof Logger) => (fields: object, message: string) => {
    const line = { level, fields, message };
    lines.push(line);
    note(line);
  };
  return { logger: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }, lines };
}

/** For parts whose log a test does not read. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
