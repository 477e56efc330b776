import type { Address } from 'viem';
import type { ChainClient } from './chain-client.ts';

/** How long a change may wait for a hint, in milliseconds. */
const maxWaitMs = 2_000;

/** Whether the chain has code at an address; undefined if no node says so within two seconds. Never rejects. */
export async function hasCode(client: ChainClient, address: Address): Promise<boolean | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), maxWaitMs);
  });
  const asked = client.getCode({ address }).then(
    (code) => code !== undefined,
    () => undefined,
  );
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
