import { importJWK, type JWK, SignJWT } from 'jose';
import type { Core } from '../../../core/domain/core.ts';
import type { DecisionMethod } from '../../../core/domain/decision.ts';
import type { PaymasterDataRequest } from '../../../core/domain/paymaster-data.ts';
import type { Result } from '../../../core/domain/result/result.ts';
import type { SponsorshipContext } from '../../../core/domain/sponsorship.ts';
import { accountOf } from '../world/keys.ts';
import type { Ask, Json } from './action.ts';
import { draftOperation } from './draft-operation.ts';
import { resolve } from './resolve.ts';
import type { Answered, RunState, Sent } from './run-state.ts';

/** Drafts the operation of an action and asks the service about it. */
export async function ask(state: RunState, line: number, action: Ask): Promise<object> {
  const { devnet } = state.world;
  const { operation, sent } = await draftOperation(devnet, action.operation);
  const fields = Object.entries(action.operation.fields ?? {});
  const given: Json = Object.fromEntries(fields.filter(([, value]) => value !== null));
  const ticket = action.ticket && (await signTicket(state, action.of, action.ticket));
  const context = {
    sponsorshipInfoGiven: true,
    calculateGasLimits: action.operation.limits === 'none',
    smartAccountInfo: { name: 'INFINITISM', version: '1.0.0' },
    ...(ticket === undefined ? {} : { ticket }),
    ...(resolve(state, action.context ?? {}) as object),
  } as SponsorshipContext;
  const request: PaymasterDataRequest = {
    apiKey: String(resolve(state, action.apiKey ?? `{{${action.of}.apiKey}}`)),
    chainId: action.chainId ?? devnet.chainId,
    userOperation: {
      ...(resolve(state, sent as Json) as object),
      ...promisedFields(state, action.promisedBy),
      ...(resolve(state, given) as object),
    },
    context,
    entryPoint: String(resolve(state, action.entryPoint ?? `{{@entry-point${action.operation.version}}}`)),
    ...(action.client === undefined ? {} : { clientAddress: action.client }),
    ...(action.arrival === undefined ? {} : { arrival: action.arrival }),
  };
  const { method, of } = action;
  if (action.isDry === true) return explain(state, of, { method, ...request });
  return send(state, line, { method, of, request, operation, owner: accountOf(action.operation.owner) });
}

/** What the request would be answered, and which of the paymaster's named policies would sponsor it. */
async function explain(
  state: RunState,
  of: string,
  { apiKey, chainId, ...asked }: PaymasterDataRequest & { readonly method: DecisionMethod },
): Promise<object> {
  const core = state.world.core();
  const { userOperation, entryPoint, context, method } = asked;
  const owned = state.paymasters.get(of) ?? { accountId: of, paymasterId: of };
  const said = await core.explainSponsorship({
    ...owned,
    method,
    userOperation,
    entryPoint,
    context,
    askWebhooks: true,
  });
  const policyIds = ['polic_of_another_service'];
  const sponsoring = await core.validatePolicies({ apiKey, chainId, userOperation, entryPoint, policyIds });
  return { explained: saidOf(said), sponsoring: saidOf(sponsoring) };
}

function saidOf(result: Result<unknown>): unknown {
  return result.ok ? result.value : result.refusal;
}

/** Sends a request and keeps what came of it for later lines. */
export async function send(state: RunState, line: number, sent: Sent): Promise<object> {
  const { method, of, request } = sent;
  const { entryPoint: _, ...withoutEntryPoint } = request;
  const core = state.world.core();
  const asked = method === 'getFeeQuoteOrData' || method === 'sponsorUserOperation' ? withoutEntryPoint : request;
  const answerTo = core[method] as (asked: object) => Promise<Result<Answered>>;
  const result = await answerTo(asked);
  const answer = result.ok ? result.value : undefined;
  state.sent.set(line, { ...sent, ...(answer === undefined ? {} : { answer }) });
  const said = result.ok ? { answer: result.value } : { refusal: result.refusal };
  return { ...said, ...(await readAfter(core, state, of, result)) };
}

/** The decision as it was recorded, and the tank after it. */
async function readAfter(core: Core, state: RunState, of: string, result: Result<Answered>): Promise<object> {
  const owned = state.paymasters.get(of);
  if (owned === undefined) return {};
  const { decisionId } = (result.ok ? (result.value.signed ?? result.value) : result.refusal) as {
    decisionId?: string;
  };
  const decision = decisionId === undefined ? undefined : await core.getDecision({ ...owned, decisionId });
  return { decision: decision && saidOf(decision), tank: saidOf(await core.readGasTank(owned)) };
}

function promisedFields(state: RunState, line: number | undefined): object {
  const promised = line === undefined ? undefined : state.sent.get(line)?.answer;
  if (promised === undefined) return {};
  const { paymaster, paymasterData, paymasterVerificationGasLimit, paymasterPostOpGasLimit } = promised;
  const hex = (value: unknown) => `0x${BigInt(String(value)).toString(16)}`;
  return {
    paymaster,
    paymasterData,
    paymasterVerificationGasLimit: hex(paymasterVerificationGasLimit),
    paymasterPostOpGasLimit: hex(paymasterPostOpGasLimit),
  };
}

async function signTicket(
  state: RunState,
  of: string,
  { key, claims }: { readonly key: string; readonly claims: Json },
): Promise<string> {
  const { secretJson = '{}' } = (state.kept.get(key) ?? {}) as { readonly secretJson?: string };
  const secret = JSON.parse(secretJson) as JWK;
  const { kid = '', alg = 'EdDSA' } = secret;
  const given = resolve(state, claims) as object;
  const exp = state.world.clock.seconds() + 600;
  return new SignJWT({ sub: 'alice', exp, aud: state.paymasters.get(of)?.paymasterId ?? of, ...given })
    .setProtectedHeader({ alg, kid })
    .sign(await importJWK(secret));
}
