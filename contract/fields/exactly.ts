import { z } from 'zod';

/** The error of a field, prefixed with its position in the request: `limits[0].max must be …`. */
export function must(requirement: string) {
  return {
    error: (issue: { readonly path?: readonly PropertyKey[] | undefined }) => `${pathOf(issue.path)} ${requirement}`,
  };
}

/** The position of a field in a request, as in `limits[0].max`. */
export function pathOf(path: readonly PropertyKey[] = []): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${String(key)}`))
    .join('');
}

/**
 * An object of a request, which refuses unknown fields: a misspelled limit would otherwise be no limit. `suggestField` adds
 * what may have been meant.
 */
export function exactly<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') {
        return `${pathOf([...(issue.path ?? []), printable(issue.keys[0])])} is not known`;
      }
      const path = pathOf(issue.path);
      return path === '' ? 'Request body must be a JSON object' : `${path} must be an object`;
    },
  });
}

/** Caller input made printable for a message. */
function printable(key = ''): string {
  return key.slice(0, 50).replace(/[^\w.-]/g, '?');
}
