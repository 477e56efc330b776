import { toDomain } from '@tollfree/contract/fields/form';
import { PolicyRequestSchema } from '@tollfree/contract/policy-fields';
import { accountOf } from '../world/keys.ts';
import type { Json } from './action.ts';
import type { RunState } from './run-state.ts';

const reference = /\{\{([^}]+)\}\}/g;

/** The value that an action's JSON stands for now. */
export function resolve(state: RunState, json: Json): unknown {
  if (typeof json === 'string') return resolveText(state, json);
  if (Array.isArray(json)) return json.map((item) => resolve(state, item));
  if (json === null || typeof json !== 'object') return json;
  const fields = json as { readonly [name: string]: Json };
  if ('$wei' in fields) return BigInt(String(fields.$wei));
  if ('$in' in fields) return state.world.clock.seconds() + Number(fields.$in);
  if ('$policy' in fields) return readPolicy(resolve(state, fields.$policy ?? {}));
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, resolve(state, value)]));
}

function readPolicy(policy: unknown): unknown {
  return toDomain(PolicyRequestSchema, PolicyRequestSchema.parse(policy));
}

function resolveText(state: RunState, text: string): unknown {
  const [, whole] = /^\{\{([^}]+)\}\}$/.exec(text) ?? [];
  if (whole !== undefined) return lookUp(state, whole);
  return text.replaceAll(reference, (_, path: string) => String(lookUp(state, path)));
}

/** `shop.apiKey` of what was kept, `@target` of the chain, or `#owner` for the address of a key. */
function lookUp(state: RunState, path: string): unknown {
  const { devnet, webhooks } = state.world;
  if (path.startsWith('#')) return accountOf(path.slice(1)).address;
  if (path === '@target') return devnet.target.address;
  if (path === '@abi') return JSON.stringify(devnet.target.abi);
  if (path === '@webhooks') return webhooks.url;
  if (path === '@chain') return devnet.chainId;
  if (path.startsWith('@token'))
    return devnet.tokens.find(({ decimals }) => decimals === Number(path.slice(6)))?.address;
  if (path.startsWith('@entry-point')) {
    return devnet.entryPoints[path.slice('@entry-point'.length) as keyof typeof devnet.entryPoints];
  }
  const [name = '', ...fields] = path.split('.');
  let value = state.kept.get(name);
  for (const field of fields) value = (value as Readonly<Record<string, unknown>> | undefined)?.[field];
  return value;
}
