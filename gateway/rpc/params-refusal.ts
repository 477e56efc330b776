import type { Refusal } from '../../core/domain/result/refusal.ts';

/** The needed part of zod's issue about a wrong value. */
type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };

/** `params[1].tokenInfo.tokenList[3]` */
function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`),
    'params',
  );
}

/** `INVALID_PARAMS` with the path of the first wrong parameter. */
export function paramsRefusal(issues: readonly Issue[]): Refusal {
  const { path, message } = issues[0] ?? { path: [], message: 'must be valid' };
  const field = pathText(path);
  return { reason: 'INVALID_PARAMS', message: `${field} ${message}`, field };
}
