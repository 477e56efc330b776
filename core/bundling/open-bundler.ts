import type { BundlerExposure } from '../domain/bundler-config.ts';
import type { BundlerRequest } from '../domain/bundling.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { BundlerClient } from '../node/bundler-client.ts';
import { type Identified, identify } from '../sponsorship/identify/identify.ts';
import type { BundlingParts } from './bundling-parts.ts';

/** The caller, and the bundler of its chain. */
export type Opened = Identified & {
  readonly bundler: BundlerClient;
  readonly expose: Exclude<BundlerExposure, 'NONE'>;
};

/** apiKey → paymaster → bundler of its chain, for a request that the key may make. */
export async function openBundler(parts: BundlingParts, request: BundlerRequest): Promise<Result<Opened>> {
  const identified = await identify(parts, request);
  if (!identified.ok) return identified;
  const { bundler, config } = identified.value.chain;
  const expose = config.bundler?.expose ?? 'NONE';
  if (bundler !== undefined && expose !== 'NONE') return accept({ ...identified.value, bundler, expose });
  return refuse({
    reason: 'BUNDLER_NOT_OFFERED',
    message: `This service does not offer bundler methods on chain ${request.chainId}. Send them to a bundler.`,
  });
}

/** Waits for a turn of the request's address and account, then asks. */
export function inBundlerTurn<T>(
  { turns }: BundlingParts,
  { profile }: Opened,
  { clientAddress, chainId }: BundlerRequest,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  return turns.run({ client: clientAddress, account: `${profile.paymaster.accountId} ${chainId}` }, work);
}
