import { Engine } from 'ox/wasm';
import { type Address, hexToBigInt, isAddressEqual, slice } from 'viem';
import type { Logger } from '../../base/logger.ts';
import type { KeyConfig, SignerConfig } from '../../domain/signer-config.ts';
import { createSigner } from '../../evm/signer/create-signer.ts';
import { type Signer, SignerConfigError } from '../../evm/signer/signer.ts';
import { createCircuitBreaker } from '../rpc/circuit-breaker.ts';
import { machineTimes, type Times } from '../rpc/create-endpoint.ts';
import { createRemoteSigner, type SigningNote } from './create-remote-signer.ts';
import { openEthSign } from './eth-sign-backend.ts';
import { openAwsKms, openGoogleKms } from './kms-backends.ts';
import type { SignerBackend, TimedBackend } from './signer-backend.ts';

/**
 * How long a backend is paused before it is tried again, in milliseconds: shorter than for a node, since nothing is signed
 * meanwhile.
 */
const restForMs = 5_000;

/** A local key signs at once. */
const localTimeoutMs = 10_000;

export type SignerContext = {
  readonly chainId: number;
  readonly logger: Logger;
  readonly note?: SigningNote | undefined;
  readonly times?: Times;
};

/**
 * Opens a signing key in any location; does not contact remote backends yet.
 *
 * @throws SignerConfigError when a local key cannot be opened, or a fallback has another key.
 * @throws StartError when the client of a cloud is not installed.
 */
export async function openSigner(config: SignerConfig, context: SignerContext): Promise<Signer> {
  const { standIns = [] } = config;
  if (standIns.length === 0 && isHere(config)) return createSigner(config);
  await Engine.install();
  const { logger, chainId, note, times = machineTimes } = context;
  const backends: TimedBackend[] = [];
  const first = await openKey(config);
  const { address } = first;
  for (const [index, one] of [config, ...standIns].entries()) {
    const key = index === 0 ? first : await openKey(one);
    if (!isAddressEqual(key.address, address)) {
      throw new SignerConfigError(
        `A fallback signer must have the same key. It signs as ${key.address}, the signer before it as ${address}.`,
      );
    }
    const name = `${index + 1} (${one.kind})`;
    const fields = { chainId, signer: address, place: name };
    const breaker = createCircuitBreaker({
      clock: times.clock,
      restForMs,
      onRest: (cause) => logger.warn({ err: cause, ...fields }, 'A signer does not sign; it is tried again'),
      onReturn: () => logger.info(fields, 'The signer signs again'),
    });
    backends.push({
      name,
      kind: one.kind,
      backend: key.backend,
      timeoutMs: isHere(one) ? localTimeoutMs : one.timeoutMs,
      breaker,
    });
  }
  return createRemoteSigner(address, backends, { times, note });
}

type Here = Extract<KeyConfig, { readonly kind: 'keystore' | 'raw' }>;

function isHere(config: KeyConfig): config is Here {
  return config.kind === 'keystore' || config.kind === 'raw';
}

async function openKey(config: KeyConfig): Promise<{ readonly address: Address; readonly backend: SignerBackend }> {
  switch (config.kind) {
    case 'keystore':
    case 'raw': {
      const signer = await createSigner(config);
      return { address: signer.address, backend: holdLocalKey(signer) };
    }
    case 'eth-sign':
      return { address: config.address, backend: openEthSign(config) };
    case 'aws-kms':
      return { address: config.address, backend: await openAwsKms(config) };
    case 'google-kms':
      return { address: config.address, backend: await openGoogleKms(config) };
  }
}

/** A local key, used alongside remote backends. */
function holdLocalKey(signer: Signer): SignerBackend {
  return {
    readAddresses: async () => [signer.address],
    sign: async (digest) => {
      const signature = await signer.signDigest(digest);
      return { r: hexToBigInt(slice(signature, 0, 32)), s: hexToBigInt(slice(signature, 32, 64)) };
    },
    close: () => undefined,
  };
}
