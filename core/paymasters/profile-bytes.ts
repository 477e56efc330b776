import type { SponsorProfile } from './sponsor-profile.ts';

/** Of a contract, webhook, name or limit. */
const bytesOfEntry = 400;
const bytesOfSelector = 100;
/** Of a key that tickets are verified with, imported. */
const bytesOfTicketKey = 10_000;
/** Of a paymaster with a key. */
const bytesOfPaymaster = 4_000;

/** About what a profile takes in memory with its `policy`, in bytes, rather too much than too little. */
export function profileBytes(profile: Omit<SponsorProfile, 'bytes'>, policy: { readonly bytes: number }): number {
  const { contracts, webhooks, ticketKeys, named, key, keyLimits } = profile;
  const { origins, networks, methods, limits } = key.rules;
  const lists = [webhooks, origins, networks, methods, limits, ...keyLimits.values()];
  const entries = lists.reduce((sum, { length }) => sum + length, contracts.size + named.size);
  let bytes = bytesOfPaymaster + policy.bytes + bytesOfEntry * entries + bytesOfTicketKey * ticketKeys.length;
  for (const { selectors } of contracts.values()) bytes += bytesOfSelector * selectors.size;
  for (const { webhookUrl } of webhooks) bytes += webhookUrl.length;
  return bytes;
}
