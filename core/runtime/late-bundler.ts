import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import type { ChainConfig } from '../domain/core-config.ts';
import { type BundlerHealth, watchBundler } from './bundler-health.ts';

/** The state of a chain's bundler, which is watched only after the chain was checked. */
export type LateBundler = BundlerHealth & { begin(): void };

/** Undefined where no bundler is configured. */
export function createLateBundler(
  { chainId, bundler, callTimeoutMs: timeoutMs }: ChainConfig,
  context: { readonly clock: Clock; readonly logger: Logger },
): LateBundler | undefined {
  if (bundler === undefined) return undefined;
  let health: BundlerHealth | undefined;
  return {
    begin: () => {
      health = watchBundler({ chainId, bundlerUrl: bundler.url, timeoutMs, ...context });
    },
    fault: () => health?.fault(),
    estimates: { rests: (cause) => health?.estimates.rests(cause), returns: () => health?.estimates.returns() },
    close: () => health?.close(),
  };
}
