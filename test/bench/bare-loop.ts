import type { Address } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { Secret } from '../../core/base/values/secret.ts';
import { sampleOperation } from '../../core/evm/paymaster-contracts/family/preflight.ts';
import { pimlicoSingleton07 } from '../../core/evm/paymaster-contracts/singleton/pimlico-singleton-packed.ts';
import { createSigner } from '../../core/evm/signer/create-signer.ts';

/** Digest and signature alone, on one core: signatures per second over the given milliseconds. */
export async function measureBareLoop(
  location: { readonly address: Address; readonly entryPoint: Address },
  milliseconds: number,
): Promise<number> {
  const signer = await createSigner({ kind: 'raw', privateKey: new Secret(generatePrivateKey()) });
  const contract = { chainId: 31_337, ...location };
  const operation = sampleOperation(pimlicoSingleton07);
  const grant = {
    mode: 'SPONSORED',
    validUntil: 2_000_000_000,
    validAfter: 1,
    fundingWallet: '0x1111111111111111111111111111111111111111',
    priceMarkup: 1_000_000,
  } as const;
  const run = async (nonce: bigint): Promise<void> => {
    const { unsigned, digest } = pimlicoSingleton07.prepare(contract, { ...operation, nonce }, grant);
    pimlicoSingleton07.assemble(unsigned, await signer.signDigest(digest));
  };
  for (let nonce = 0n; nonce < 2_000n; nonce += 1n) await run(nonce);
  const start = performance.now();
  let nonce = 0n;
  while (performance.now() - start < milliseconds) {
    for (let step = 0; step < 100; step += 1) await run(nonce++);
  }
  return Number(nonce) / ((performance.now() - start) / 1_000);
}
