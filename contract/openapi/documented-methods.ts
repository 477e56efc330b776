import {
  biconomyGetUserOperationStatus,
  ethEstimateUserOperationGas,
  ethGetUserOperationByHash,
  ethGetUserOperationReceipt,
  ethSendUserOperation,
  ethSupportedEntryPoints,
  gasPriceMethods,
  pimlicoGetUserOperationStatus,
} from '../rpc/bundler-methods.ts';
import { ethChainId, pmChainId } from '../rpc/chain-id.ts';
import { pimlicoGetSupportedTokens, pimlicoGetTokenQuotes } from '../rpc/pimlico-tokens.ts';
import { pmGetFeeQuoteOrData } from '../rpc/pm-get-fee-quote-or-data.ts';
import { pmGetPaymasterData, pmGetPaymasterStubData } from '../rpc/pm-get-paymaster-data.ts';
import {
  pmSponsorUserOperation,
  pmSponsorUserOperationByEntryPoint,
  zdSponsorUserOperation,
} from '../rpc/pm-sponsor-user-operation.ts';
import { pmSupportedEntryPoints } from '../rpc/pm-supported-entry-points.ts';
import { pmSupportedErc20Tokens } from '../rpc/pm-supported-erc20-tokens.ts';
import { pmValidateSponsorshipPolicies } from '../rpc/pm-validate-sponsorship-policies.ts';
import { tollfreeGetAllowance } from '../rpc/tollfree-get-allowance.ts';
import { tollfreePrepareRelay, tollfreeRelayUserOperation } from '../rpc/tollfree-relay.ts';
import * as example from './rpc-examples.ts';

/** The methods of the RPC endpoint, each with a sentence and example params. */
export const documentedMethods = [
  {
    ...pmGetFeeQuoteOrData,
    summary: 'Sponsorship data or token fee quotes',
    description:
      'Signed paymaster data (`SPONSORED`), or the price of the operation in tokens (`ERC20`). Without `mode`: sponsorship if the policies allow it, else quotes.',
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
      'Has the length of the final fields but cannot be used for payment. Refuses early where possible. Webhooks are not called and nothing is held.',
    example: [example.operation, example.entryPoint, example.chainId, {}],
  },
  {
    ...pmGetPaymasterData,
    summary: 'ERC-7677: signed fields',
    description: 'The signature covers the operation’s gas limits and the answer’s two paymaster gas limits.',
    example: [example.estimatedOperation, example.entryPoint, example.chainId, {}],
  },
  {
    ...tollfreePrepareRelay,
    summary: 'What an account has to sign for an operation to be relayed',
    description: 'Fees of zero and estimated gas limits. Webhooks are not called and nothing is held.',
    example: [example.operation, example.entryPoint, example.chainId, {}],
  },
  {
    ...tollfreeRelayUserOperation,
    summary: 'Relays a signed operation without a paymaster contract',
    description:
      'Both fees are 0 and there are no paymaster fields. The operator’s bundler pays, and the gas tank is charged for it.',
    example: [example.relayedOperation, example.entryPoint, example.chainId, {}],
  },
  {
    ...pmSponsorUserOperationByEntryPoint,
    summary: 'Pimlico’s variant, with the EntryPoint as second parameter',
    description: 'Signed fields. Gas limits are always estimated.',
    example: [example.operation, example.entryPoint, {}],
  },
  {
    ...zdSponsorUserOperation,
    summary: 'ZeroDev’s variant of `pm_sponsorUserOperation`',
    description: 'As sent by `sponsorUserOperation` of `@zerodev/sdk`. Gas limits are always estimated.',
    example: [{ chainId: 84532, userOp: example.operation, entryPointAddress: example.entryPoint }],
  },
  {
    ...pmSupportedEntryPoints,
    summary: 'The EntryPoints the paymaster supports',
    description: 'Their addresses.',
    example: [],
  },
  {
    ...pimlicoGetTokenQuotes,
    summary: 'Current token prices',
    description: 'An operation costs at most `(gas + postOpGas) * maxFeePerGas * exchangeRate / 10^18`.',
    example: [{ tokens: [example.token] }, example.entryPoint, example.chainId],
  },
  {
    ...tollfreeGetAllowance,
    summary: 'Remaining allowance of a user or an account',
    description: 'What remains in each limit and until when, so that a wallet can show “2 free transactions left”.',
    example: [{ sender: example.operation.sender }],
  },
  {
    ...pimlicoGetSupportedTokens,
    summary: 'The tokens the paymaster accepts',
    description: 'None for a paymaster that only sponsors.',
    example: [],
  },
  {
    ...pmValidateSponsorshipPolicies,
    summary: 'Which of several policies would sponsor an operation',
    description:
      'Pimlico’s variant. Gas limits are estimated and webhooks are assumed to agree. Nothing is held, signed or recorded.',
    example: [example.operation, example.entryPoint, ['tfp_3f1c2b7e5a0d4c1e9b520d6f7c8a9b10']],
  },
  {
    ...pmSupportedErc20Tokens,
    summary: 'Tokens, prices and stub for abstractionkit',
    description: 'The tokens with their prices, the paymaster’s name and address, and fields for gas estimation.',
    example: [example.entryPoint],
  },
  { ...pmChainId, summary: 'The endpoint’s chain', description: 'As requested by abstractionkit.', example: [] },
  { ...ethChainId, summary: 'The endpoint’s chain', description: 'As libraries ask a node for it.', example: [] },
  {
    ...ethSendUserOperation,
    summary: 'Sends an operation to the chain’s bundler',
    description:
      'If the operator exposes one. By default, only operations that this paymaster has signed are taken. The answer is their userOpHash.',
    example: [example.estimatedOperation, example.entryPoint],
  },
  {
    ...ethEstimateUserOperationGas,
    summary: 'Has the bundler estimate gas limits',
    description: 'Of an operation with the fields of `pm_getPaymasterStubData`. A third parameter overrides state.',
    example: [example.operation, example.entryPoint],
  },
  {
    ...ethGetUserOperationReceipt,
    summary: 'The receipt of an operation',
    description: 'As the bundler answers it.',
    example: [example.userOpHash],
  },
  {
    ...ethGetUserOperationByHash,
    summary: 'What was sent',
    description: 'As the bundler answers it.',
    example: [example.userOpHash],
  },
  {
    ...ethSupportedEntryPoints,
    summary: 'The EntryPoints that operations can be sent for',
    description: 'The first is the paymaster’s own.',
    example: [],
  },
  {
    ...pimlicoGetUserOperationStatus,
    summary: 'Where an operation is',
    description: 'In Pimlico’s form. It is derived from the receipt if the bundler does not have this method.',
    example: [example.userOpHash],
  },
  {
    ...biconomyGetUserOperationStatus,
    summary: 'Where an operation is, in Biconomy’s form',
    description: 'As `pimlico_getUserOperationStatus`.',
    example: [example.userOpHash],
  },
  ...gasPriceMethods.map((one) => ({
    ...one,
    summary: 'What to offer for gas',
    description:
      'The bundler’s prices, or the chain’s if it names none. Never more than the paymaster signs, nor less than the chain needs.',
    example: [],
  })),
] as const;
