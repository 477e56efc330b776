import { z } from 'zod';
import { parseAddress } from '../../../base/values/parse-address.ts';
import type { ExplorerAnswer } from './explorer-answer.ts';

const ContractSchema = z.object({
  match: z.string().nullish(),
  abi: z.array(z.unknown()).nullish(),
  proxyResolution: z.object({ implementations: z.array(z.object({ address: z.string() })).nullish() }).nullish(),
});

/** An answer of `GET /v2/contract/{chainId}/{address}`: 404 and a `match` of null stand for a contract that is not verified. */
export function readSourcifyAnswer(status: number, json: unknown): ExplorerAnswer {
  const contract = ContractSchema.safeParse(json);
  if (status === 404 && contract.success) return { kind: 'not verified' };
  if (status !== 200) return { kind: 'unavailable', problem: `answered ${status}` };
  if (!contract.success) return { kind: 'unavailable', problem: 'returned an invalid response' };
  const { match, abi, proxyResolution } = contract.data;
  if (match === null || !abi) return { kind: 'not verified' };
  // Several are a diamond: which of them a call reaches is not told.
  const [only, ...others] = proxyResolution?.implementations ?? [];
  const implementation = others.length === 0 ? parseAddress(only?.address ?? '') : undefined;
  return { kind: 'verified', abi: JSON.stringify(abi), ...(implementation && { implementation }) };
}
