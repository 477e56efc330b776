import { custom, http } from 'viem';
import type { MatrixAccount } from './matrix-accounts.ts';

export type BundlerLimits = Readonly<Record<'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas', bigint>>;
/** What a client sends for an operation that needs these limits. */
export type Margins = (needed: BundlerLimits) => BundlerLimits;

/** alto: 30 % on top since EntryPoint 0.7; before, half of the verification, and 71,000 gas to the call. */
export const altoMargins = (version: MatrixAccount['version']): Margins =>
  version === '0.6'
    ? (needed) => ({
        callGasLimit: needed.callGasLimit + 71_000n,
        verificationGasLimit: (needed.verificationGasLimit * 15n) / 10n,
        preVerificationGas: (needed.preVerificationGas * 11n) / 10n,
      })
    : (needed) => ({
        callGasLimit: (needed.callGasLimit * 13n) / 10n,
        verificationGasLimit: (needed.verificationGasLimit * 13n) / 10n,
        preVerificationGas: (needed.preVerificationGas * 11n) / 10n,
      });

/** The development chain's bundler answers what is needed and 10 %. */
function withoutMargin(limit: bigint): bigint {
  return (limit * 10n) / 11n;
}

const plain = { retryCount: 0 };

/** The development chain's bundler, with its estimates changed to those of another bundler or client. */
export function estimatingWith(url: string, margins: Margins) {
  const bundler = http(url, plain)({});
  return custom(
    {
      async request({ method, params }) {
        const answer: unknown = await bundler.request({ method, params });
        if (method !== 'eth_estimateUserOperationGas') return answer;
        const given = answer as Record<keyof BundlerLimits, bigint | string>;
        const changed = margins({
          callGasLimit: withoutMargin(BigInt(given.callGasLimit)),
          verificationGasLimit: withoutMargin(BigInt(given.verificationGasLimit)),
          preVerificationGas: BigInt(given.preVerificationGas),
        });
        return { ...given, ...changed };
      },
    },
    plain,
  );
}
