import { noteResult } from '../../decisions/decision-draft.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { SignedPaymasterData, SponsorshipContext } from '../../domain/sponsorship.ts';
import type { TokenGrant } from '../../evm/paymaster-contracts/family/family.ts';
import { holdWorstCase } from '../funds/hold-worst-case.ts';
import { signPaymasterData } from '../funds/sign-paymaster-data.ts';
import { chooseGas } from '../gas/choose-gas.ts';
import { chooseWindow } from '../grant/choose-window.ts';
import { requestKey } from '../grant/request-key.ts';
import { checkGasPrice } from '../permission/check-caps.ts';
import type { Identified } from '../request/identify.ts';
import { readLifetime } from '../request/read-context.ts';
import type { ReadOperation } from '../request/read-user-operation.ts';
import { viewChain } from '../request/view-chain.ts';
import type { SponsorshipRun } from '../sponsorship-run.ts';
import { namedFeeToken } from './choose-tokens.ts';
import { keepQuote } from './keep-quote.ts';
import { takesNoTokens, tokenGrant } from './quote-tokens.ts';

/**
 * Mode `ERC20` of `pm_sponsorUserOperation`: the user pays in a token, the sponsor's deposit advances the gas. Contracts,
 * webhooks and sponsorship limits do not apply; the operator's caps and the funds do.
 */
export async function chargeTokens(
  run: SponsorshipRun,
  identified: Identified,
  read: ReadOperation,
  context: SponsorshipContext,
): Promise<Result<Omit<SignedPaymasterData, 'decisionId'>>> {
  const granted = await grantTokens(run, identified, read, context);
  if (!granted.ok) return granted;
  const grant = granted.value;
  const chosen = await chooseGas(run, identified, read, { grant, context });
  if (!chosen.ok) return chosen;
  const operation = chosen.value;
  const kept = noteResult(
    run.draft,
    { rule: 'quote', checked: 'what was quoted for the operation before' },
    keepQuote(run, identified, operation, grant),
  );
  if (!kept.ok) return kept;
  const key = requestKey(identified, read, { grant, context });
  const held = await holdWorstCase(run, identified, { operation, grant: kept.value }, key);
  if (!held.ok) return held;
  return accept(await signPaymasterData(run, identified, held.value, undefined));
}

/** What a signature in token mode would grant now: the token, its price, the time. Refuses what can be refused now. */
export async function grantTokens(
  run: SponsorshipRun,
  identified: Identified,
  read: ReadOperation,
  context: SponsorshipContext,
): Promise<Result<TokenGrant>> {
  const { chain, contract } = identified;
  const { draft } = run;
  draft.mode = 'ERC20';
  draft.calls = [];
  const named = namedFeeToken(context.tokenInfo);
  if (named === undefined) {
    return refuse({
      reason: 'INVALID_PARAMS',
      message: 'tokenInfo.feeTokenAddress must be a string',
      field: 'tokenInfo.feeTokenAddress',
    });
  }
  if (!contract.family.modes.includes('ERC20')) {
    return noteResult(draft, { rule: 'mode', checked: 'mode ERC20' }, takesNoTokens(contract.version));
  }
  const lifetime = readLifetime(context.expiryDuration, run.validity);
  if (!lifetime.ok) return noteResult(draft, { rule: 'lifetime', checked: 'expiryDuration' }, lifetime);
  const token = chain.rates.find(named);
  if (token === undefined) {
    const refused = refuse({
      reason: 'TOKEN_NOT_SUPPORTED',
      message: 'The token in tokenInfo.feeTokenAddress is not taken on this chain.',
      field: 'tokenInfo.feeTokenAddress',
    });
    return noteResult(draft, { rule: 'fee-token', checked: 'tokenInfo.feeTokenAddress' }, refused);
  }
  draft.token = token.address;
  const priced = noteResult(
    draft,
    { rule: 'operator-gas-price', checked: `maxFeePerGas ${read.operation.maxFeePerGas} wei` },
    checkGasPrice(read.operation, chain.config),
  );
  if (!priced.ok) return priced;
  const view = noteResult(
    draft,
    { rule: 'chain', checked: `the state of chain ${chain.config.chainId}` },
    viewChain(chain),
  );
  if (!view.ok) return view;
  const rate = noteResult(
    draft,
    { rule: 'token-price', checked: `the price of ${token.symbol}` },
    await chain.rates.rate(token, contract.premiumBasisPoints),
  );
  if (!rate.ok) return rate;
  return accept(tokenGrant(identified, rate.value, chooseWindow(lifetime.value, view.value, run.clock)));
}
