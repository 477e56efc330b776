import { isHex } from 'viem';
import { z } from 'zod';
import type { StateOverrides } from '../../../core/gas/simulation/override-call.ts';
import type { ChainClient } from '../../../core/node/chain-client.ts';
import { BundlerError } from './sent-operation.ts';

const hex = z.custom<`0x${string}`>((value) => isHex(value), { error: 'must be hex' });
const words = z.record(hex, hex).optional();

/** The third parameter of `eth_estimateUserOperationGas` (ERC-7769), in the form of `eth_call`. */
const overridesSchema = z
  .record(
    z.string().regex(/^0x[0-9a-fA-F]{40}$/, { error: 'must be an address' }),
    z.object({
      balance: hex.optional(),
      nonce: hex.optional(),
      code: hex.optional(),
      state: words,
      stateDiff: words,
    }),
  )
  .nullish();

/** Throws `BundlerError` with the first invalid field. */
export function readOverrides(sent: unknown): StateOverrides | undefined {
  const parsed = overridesSchema.safeParse(sent);
  if (parsed.success) return (parsed.data ?? undefined) as StateOverrides | undefined;
  const [issue] = parsed.error.issues;
  throw new BundlerError(-32_602, `${['stateOverride', ...(issue?.path ?? [])].join('.')}: ${issue?.message}`);
}

/** The client, with accounts of other state in each of its calls. A call's own overrides are for code of the simulation. */
export function overridingClient(client: ChainClient, overrides: StateOverrides | undefined): ChainClient {
  if (overrides === undefined) return client;
  const sent = withLowerCase(overrides);
  const request = ({ method, params }: { readonly method: string; readonly params: readonly unknown[] }) => {
    if (method !== 'eth_call') return client.request({ method, params } as never);
    const [call, block, own = {}] = params as [unknown, unknown, StateOverrides?];
    return client.request({ method, params: [call, block, merge(sent, withLowerCase(own))] } as never);
  };
  return { ...client, request: request as ChainClient['request'] };
}

function withLowerCase(overrides: StateOverrides): StateOverrides {
  return Object.fromEntries(Object.entries(overrides).map(([address, state]) => [address.toLowerCase(), state]));
}

function merge(sent: StateOverrides, own: StateOverrides): StateOverrides {
  const merged: StateOverrides = { ...sent };
  for (const [address, state] of Object.entries(own) as [
    keyof StateOverrides,
    StateOverrides[keyof StateOverrides],
  ][]) {
    const others = sent[address];
    merged[address] = { ...others, ...state };
    const slots = { ...others?.stateDiff, ...state.stateDiff };
    if (Object.keys(slots).length > 0) merged[address] = { ...merged[address], stateDiff: slots };
  }
  return merged;
}
