import type { ChainConfig } from '../domain/core-config.ts';
import { StartError } from '../domain/start-error.ts';
import { type Signer, SignerConfigError } from '../evm/signer/signer.ts';
import { openSigner, type SignerContext } from '../node/signers/open-signer.ts';

/** The configured keys of a chain, newest first. */
export type ChainKeys = Pick<ChainConfig, 'signer' | 'previousSigners'>;

/**
 * Opens the keys of a chain, newest first; sequentially, since opening a typical keystore takes 256 MiB.
 *
 * @throws StartError when one cannot be opened.
 */
export async function openSigners(keys: ChainKeys, context: SignerContext): Promise<readonly [Signer, ...Signer[]]> {
  try {
    const newest = await openSigner(keys.signer, context);
    const previous: Signer[] = [];
    for (const one of keys.previousSigners ?? []) previous.push(await openSigner(one, context));
    return [newest, ...previous];
  } catch (cause) {
    if (cause instanceof SignerConfigError) throw new StartError(cause.message, { tryAgain: false, cause });
    throw cause;
  }
}
