import type { Refusal } from '../../core/domain/result/refusal.ts';

/** What zod says about one wrong value, as far as it is needed here. */
type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };

/** `params[1].tokenInfo.tokenList[3]` */
function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`),
    'params',
  );
}

/** `INVALID_PARAMS` that names the first wrong parameter by its path. */
export function paramsRefusal(issues: readonly Issue[]): Refusal {
  const { path, message } = issues[0] ?? { path: [], message: 'must be valid' };
  const field = pathText(path);
  return { reason: 'INVALID_PARAMS', message: `${field} ${message}`, field };
}
