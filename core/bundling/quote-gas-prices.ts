import type { BundlerRequest, GasPrices } from '../domain/bundling.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import { viewChain } from '../sponsorship/permit/view-chain.ts';
import type { createPriceQuestion, NamedPrices } from './ask-for-prices.ts';
import type { BundlingParts } from './bundling-parts.ts';
import { boundPrices, chainPrices } from './gas-prices.ts';
import { inBundlerTurn, openBundler } from './open-bundler.ts';

/**
 * The bundler's gas prices, or the chain's if it has none: within what the chain requires and what the operator and the
 * paymaster's default policy sign. Without current fees of the chain there is no quote, just as nothing is signed.
 */
export async function quoteGasPrices(
  parts: BundlingParts & { readonly askForPrices: ReturnType<typeof createPriceQuestion> },
  request: BundlerRequest,
): Promise<Result<GasPrices>> {
  const opened = await openBundler(parts, request);
  if (!opened.ok) return opened;
  const { chain, contract, profile, bundler } = opened.value;
  const view = viewChain(chain, contract.location.address, parts.clock);
  if (!view.ok) return view;
  const { fees } = view.value;
  if (fees === undefined) {
    return refuse({
      reason: 'CHAIN_UNAVAILABLE',
      message: `The node of chain ${request.chainId} does not report the gas price.`,
    });
  }
  const named = await inBundlerTurn(parts, opened.value, request, async () =>
    accept(await parts.askForPrices(bundler)),
  );
  if (!named.ok) return named;
  const { gasPrice, maxFeePerGasCeiling } = chain.config;
  const limits = { bounds: gasPrice, ceilings: [maxFeePerGasCeiling, profile.policy.maxFeePerGas] };
  return boundPrices(completed(chainPrices(fees), named.value), fees, limits);
}

/** The bundler's prices, or the chain's with the bundler's tip. */
function completed(own: GasPrices, named: NamedPrices | undefined): GasPrices {
  if (named === undefined) return own;
  if (!('tip' in named)) return named;
  const { tip } = named;
  const withTip = ({ maxFeePerGas, maxPriorityFeePerGas }: GasPrices['slow']) => ({
    maxFeePerGas: maxFeePerGas - maxPriorityFeePerGas + tip,
    maxPriorityFeePerGas: tip,
  });
  return { slow: withTip(own.slow), standard: withTip(own.standard), fast: withTip(own.fast) };
}
