import { resolve } from 'node:path';

/** Makes the value of every key that ends in `File` absolute, relative ones taken from `folder`. */
export function resolveFiles(value: unknown, folder: string): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveFiles(item, folder));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isPath = key.endsWith('File') && typeof inner === 'string' && inner !== '';
      return [key, isPath ? resolve(folder, inner) : resolveFiles(inner, folder)];
    }),
  );
}
