import { resolve } from 'node:path';

const addressKeys = new Set(['listen', 'address']);
const relativeSocket = /^unix:([^/].*)$/;

/**
 * Makes the values of keys that end in `File` or `Files`, and `unix:` addresses, absolute; relative ones are relative to
 * `folder`.
 */
export function resolveFiles(value: unknown, folder: string): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveFiles(item, folder));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isPath = key.endsWith('File') && typeof inner === 'string' && inner !== '';
      if (key.endsWith('Files') && Array.isArray(inner)) {
        return [key, inner.map((file) => (typeof file === 'string' && file !== '' ? resolve(folder, file) : file))];
      }
      if (isPath) return [key, resolve(folder, inner)];
      const socket = addressKeys.has(key) && typeof inner === 'string' ? relativeSocket.exec(inner)?.[1] : undefined;
      return [key, socket === undefined ? resolveFiles(inner, folder) : `unix:${resolve(folder, socket)}`];
    }),
  );
}
