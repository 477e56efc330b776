import { ethChainId } from '../rpc/eth-chain-id.ts';
import { pimlicoGetSupportedTokens } from '../rpc/pimlico-get-supported-tokens.ts';
import { pimlicoGetTokenQuotes } from '../rpc/pimlico-get-token-quotes.ts';
import { pmChainId } from '../rpc/pm-chain-id.ts';
import { pmGetFeeQuoteOrData } from '../rpc/pm-get-fee-quote-or-data.ts';
import { pmGetPaymasterData } from '../rpc/pm-get-paymaster-data.ts';
import { pmGetPaymasterStubData } from '../rpc/pm-get-paymaster-stub-data.ts';
import { pmSponsorUserOperation } from '../rpc/pm-sponsor-user-operation.ts';
import { pmSponsorUserOperationByEntryPoint } from '../rpc/pm-sponsor-user-operation-by-entry-point.ts';
import { pmSupportedEntryPoints } from '../rpc/pm-supported-entry-points.ts';
import { pmSupportedErc20Tokens } from '../rpc/pm-supported-erc20-tokens.ts';
import { pmValidateSponsorshipPolicies } from '../rpc/pm-validate-sponsorship-policies.ts';
import { tollfreeGetAllowance } from '../rpc/tollfree-get-allowance.ts';
import { zdSponsorUserOperation } from '../rpc/zd-sponsor-user-operation.ts';
import * as example from './rpc-examples.ts';

/** The methods of the RPC endpoint, with a sentence and the params of a request for each. */
export const documentedMethods = [
  {
    ...pmGetFeeQuoteOrData,
    summary: 'Sponsorship data or token fee quotes',
    description:
      'Signed paymaster data (`SPONSORED`), or what the operation costs in tokens (`ERC20`). Without `mode`: sponsorship if the policies allow it, else quotes.',
    example: [example.operation, { mode: 'SPONSORED', ...example.sponsorshipContext }],
  },
  {
    ...pmSponsorUserOperation,
    summary: 'Signed paymaster data in either mode',
    description: 'In token mode `tokenInfo.feeTokenAddress` names the token that pays.',
    example: [example.operation, { mode: 'ERC20', tokenInfo: { feeTokenAddress: example.token } }],
  },
  {
    ...pmGetPaymasterStubData,
    summary: 'ERC-7677: fields to estimate with',
    description:
      'As long as the final ones and not good for payment. What can be refused already is refused here; webhooks are not asked, nothing is held.',
    example: [example.operation, example.entryPoint, example.chainId, {}],
  },
  {
    ...pmGetPaymasterData,
    summary: 'ERC-7677: signed fields',
    description:
      'The signature binds the gas limits of the operation, and the two of the paymaster as they are in the answer.',
    example: [example.estimatedOperation, example.entryPoint, example.chainId, {}],
  },
  {
    ...pmSponsorUserOperationByEntryPoint,
    summary: 'Pimlico’s form, with the EntryPoint as second parameter',
    description: 'Signed fields, and gas limits that are always estimated.',
    example: [example.operation, example.entryPoint, {}],
  },
  {
    ...zdSponsorUserOperation,
    summary: 'ZeroDev’s form of the same',
    description: 'As `sponsorUserOperation` of `@zerodev/sdk` asks. The gas limits are always estimated.',
    example: [{ chainId: 84532, userOp: example.operation, entryPointAddress: example.entryPoint }],
  },
  {
    ...pmSupportedEntryPoints,
    summary: 'The EntryPoints the paymaster works with',
    description: 'Their addresses.',
    example: [],
  },
  {
    ...pimlicoGetTokenQuotes,
    summary: 'What tokens cost now',
    description: 'An operation costs at most `(gas + postOpGas) * maxFeePerGas * exchangeRate / 10^18`.',
    example: [{ tokens: [example.token] }, example.entryPoint, example.chainId],
  },
  {
    ...tollfreeGetAllowance,
    summary: 'What is left for a user or an account',
    description: 'What is left in each limit and until when, so that a wallet can show “2 free transactions left”.',
    example: [{ sender: example.operation.sender }],
  },
  {
    ...pimlicoGetSupportedTokens,
    summary: 'The tokens the paymaster takes',
    description: 'None for a paymaster that only sponsors.',
    example: [],
  },
  {
    ...pmValidateSponsorshipPolicies,
    summary: 'Which of some policies would sponsor an operation',
    description:
      'Pimlico’s form. Gas limits are estimated, webhooks are taken to agree, and nothing is held, signed or recorded.',
    example: [example.operation, example.entryPoint, ['tfp_3f1c2b7e5a0d4c1e9b520d6f7c8a9b10']],
  },
  {
    ...pmSupportedErc20Tokens,
    summary: 'Tokens, prices and stub, as abstractionkit asks',
    description: 'The tokens with their prices, the paymaster’s name and address, and fields to estimate with.',
    example: [example.entryPoint],
  },
  { ...pmChainId, summary: 'The chain of the address', description: 'As abstractionkit asks for it.', example: [] },
  { ...ethChainId, summary: 'The chain of the address', description: 'As libraries ask a node for it.', example: [] },
] as const;
