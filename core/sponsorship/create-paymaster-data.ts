import type { Core } from '../domain/core.ts';
import type { PaymasterDataRequest, PaymasterStub } from '../domain/paymaster-data.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { SignedPaymasterData, SponsorshipMode } from '../domain/sponsorship.ts';
import { beginForEntryPoint } from './begin-sponsorship.ts';
import { decide } from './decide.ts';
import { readMode } from './request/read-context.ts';
import type { ReadOperation } from './request/read-user-operation.ts';
import type { SponsorshipParts } from './run/sponsorship-parts.ts';
import { sponsorOperation } from './sponsor-operation.ts';
import type { SponsorshipRun } from './sponsorship-run.ts';
import { stubPaymasterData } from './stub-paymaster-data.ts';
import { chargeTokens } from './tokens/charge-tokens.ts';

type UndecidedData = Omit<SignedPaymasterData, 'decisionId'> & { readonly gasEstimated: boolean };

/** The two calls of ERC-7677. */
export function createPaymasterData(parts: SponsorshipParts): Pick<Core, 'getPaymasterStubData' | 'getPaymasterData'> {
  return {
    getPaymasterStubData: (request) =>
      decide(parts, { method: 'getPaymasterStubData', request }, (run) => answerStub(run, request)),
    getPaymasterData: async (request) => {
      const decided = await decide(parts, { method: 'getPaymasterData', request }, (run) => answerData(run, request));
      if (!decided.ok) return decided;
      const { gasEstimated, ...signed } = decided.value;
      return accept({ signed, gasEstimated });
    },
  };
}

export async function answerStub(
  run: SponsorshipRun,
  request: PaymasterDataRequest,
): Promise<Result<Omit<PaymasterStub, 'decisionId'>>> {
  const begun = await beginForEntryPoint(run, request);
  if (!begun.ok) return begun;
  const mode = readPaymasterMode(request);
  if (!mode.ok) return mode;
  const { identified, read } = begun.value;
  return stubPaymasterData(run, identified, read, { context: request.context, mode: mode.value });
}

export async function answerData(run: SponsorshipRun, request: PaymasterDataRequest): Promise<Result<UndecidedData>> {
  const begun = await beginForEntryPoint(run, request);
  if (!begun.ok) return begun;
  const { identified, read } = begun.value;
  const mode = readPaymasterMode(request);
  if (!mode.ok) return mode;
  const noLimits = hasNoLimits(read);
  const calculateGasLimits = noLimits && request.context.calculateGasLimits === true;
  if (noLimits && !calculateGasLimits) return refuse(limitsMissing);
  const context = { ...request.context, calculateGasLimits };
  const raising = { ...run, mayRaiseLimits: true };
  const signed =
    mode.value === 'ERC20'
      ? await chargeTokens(raising, identified, read, context)
      : await sponsorOperation(raising, identified, read, context, context.smartAccountInfo);
  if (!signed.ok) return signed;
  const gasEstimated = signed.value.gas.verificationGasLimit !== read.givenGas.verificationGasLimit;
  return accept({ ...signed.value, gasEstimated });
}

function readPaymasterMode({ context }: PaymasterDataRequest): Result<SponsorshipMode> {
  const mode = readMode(context.mode);
  return mode.ok ? accept(mode.value ?? 'SPONSORED') : mode;
}

/** Clients send limits that they do not know as 0. */
function hasNoLimits({ givenGas }: ReadOperation): boolean {
  const { callGasLimit = 0n, verificationGasLimit = 0n, preVerificationGas = 0n } = givenGas;
  return callGasLimit + verificationGasLimit + preVerificationGas === 0n;
}

const limitsMissing = {
  reason: 'INVALID_PARAMS',
  message:
    'callGasLimit, verificationGasLimit and preVerificationGas must be the limits the operation will have, since they are signed. With calculateGasLimits true in the context they are estimated and returned.',
  field: 'callGasLimit',
} as const;
