import { AsyncLocalStorage } from 'node:async_hooks';
import { authorKinds } from '@tollfree/contract/access/audit-log';
import { type Role, roles } from '@tollfree/contract/access/role';
import { type Scope, scopes } from '@tollfree/contract/access/scope';
import { z } from 'zod';
import { address, chainId, message, optionalListOf, request, text, trueOrAbsent } from '../../base/message-schema.ts';
import { accept, invalidField, type Result, refuse } from '../result/result.ts';

/**
 * What the caller authenticated with: an authToken or a session; nothing yet, as at a sign-in; or the caller is the operator
 * at the command line, or a program that uses gRPC directly.
 */
const ActorKindSchema = z.enum(authorKinds).exclude(['service']);

/** Who performs an operation, and from where. It accompanies a call and is not part of its input. */
export const ActorSchema = z.object({
  kind: ActorKindSchema,
  /** For an authToken or a session. */
  accountId: z.string().optional(),
  /** The id of the authToken or session, not its secret. */
  credentialId: z.string().optional(),
  /** The wallet that signed in for the session. */
  wallet: z.string().optional(),
  /** The request's address, behind trusted proxies. */
  address: z.string().optional(),
  /** The calling program's own name for itself. */
  client: z.string().optional(),
});
export type Actor = z.infer<typeof ActorSchema>;

/** Performs work on behalf of an actor, until its promise settles. `signal` is aborted when no one waits for that any more. */
export type ActAs = <T>(actor: Actor, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** The core operation in progress, and its input. */
export type OperationUnderWay = { readonly name: string; readonly input: unknown };

/**
 * The current operation and actor. Disabled while no operation is in progress: before Node.js 24, a storage in use adds cost to
 * every promise of the process.
 */
const doing = new AsyncLocalStorage<{
  readonly actor?: Actor;
  readonly operation?: OperationUnderWay;
  readonly signal?: AbortSignal | undefined;
}>();
let underWay = 0;

async function within<T>(facts: NonNullable<ReturnType<typeof doing.getStore>>, work: () => Promise<T>): Promise<T> {
  underWay += 1;
  try {
    return await doing.run(facts, work);
  } finally {
    underWay -= 1;
    if (underWay === 0) doing.disable();
  }
}

export const actAs: ActAs = (actor, work, signal) => within({ actor, signal }, work);

/** The actor of the current work; undefined for the service's own work. */
export function currentActor(): Actor | undefined {
  return doing.getStore()?.actor;
}

/** Performs an operation, so that its writes are attributed to it. */
export function carryOut<T>(operation: OperationUnderWay, work: () => Promise<T>): Promise<T> {
  return within({ ...doing.getStore(), operation }, work);
}

/** Aborted when no one waits for the current work any more. */
export function currentSignal(): AbortSignal | undefined {
  return doing.getStore()?.signal;
}

/** The operation in progress. */
export function currentOperation(): OperationUnderWay | undefined {
  return doing.getStore()?.operation;
}

/**
 * The caller: an account, and the paymaster of its apiKey if the call has one. Also the credential: the id of the authToken,
 * or that of the session with the wallet that signed in for it.
 */
export const CallerSchema = message('Caller', {
  /** The account the authToken belongs to. */
  accountId: text,
  /** The paymaster of the apiKey. Absent when no apiKey was given. */
  paymasterId: text.exactOptional(),
  /** Id of the authToken that was used. Absent: a session was used, or it does not matter. */
  authTokenId: text.exactOptional(),
  /** Id of the session that was used. Absent: an authToken was used, or it does not matter. */
  sessionId: text.exactOptional(),
  /** Checksummed address of the wallet that signed in for the session. Absent: none did. */
  wallet: address.exactOptional(),
  /** The chain of that wallet if it is a contract (ERC-1271). */
  chainId: chainId.exactOptional(),
  /** What the call may do: `read`, `manage`, `funds`. Absent: nothing. */
  scopes: optionalListOf(z.enum(scopes)),
  /** The call may read what is reserved to the operator of the service. */
  operator: trueOrAbsent,
});
export type Caller = z.output<typeof CallerSchema>;

/** A paymaster and the account that must own it. Every query filters by both. */
export const owned = { accountId: text, paymasterId: text };
const OwnedSchema = request(owned);
export type Owned = z.output<typeof OwnedSchema>;

/**
 * A member's role: an `owner` may do everything, including managing members; a `manager` may change settings; a `viewer` may
 * only read.
 */
export { type Role, roles };

/** The scopes of a role, which also limit the authTokens that the member creates. */
export const scopesOfRole: { readonly [Name in Role]: readonly Scope[] } = {
  owner: ['read', 'manage', 'funds'],
  manager: ['read', 'manage'],
  viewer: ['read'],
};

/** A role from input. */
export function parseRole(text: string): Role | undefined {
  return roles.find((role) => role === text);
}

/**
 * What an authToken or a session may do: `read` reads, `manage` changes settings, `funds` moves money or determines who may.
 * Managing members requires all three.
 */
export { type Scope, scopes };

/**
 * Requested scopes, without duplicates and in the order of the list. `INVALID_FIELD` for an empty list and for unknown
 * scopes.
 */
export function checkScopes(wanted: readonly string[]): Result<readonly Scope[]> {
  const known = scopes.filter((scope) => wanted.includes(scope));
  const isWhole = known.length > 0 && known.length === wanted.length;
  return isWhole ? accept(known) : invalidField('scopes', `must be one or more of ${scopes.join(', ')}, each once`);
}

/** `SCOPE_MISSING` for the first of the required scopes that is missing. */
export function refuseMissingScope(
  needed: readonly Scope[],
  present: readonly Scope[],
): ReturnType<typeof refuse> | undefined {
  const scope = needed.find((one) => !present.includes(one));
  if (scope === undefined) return undefined;
  return refuse({ reason: 'SCOPE_MISSING', message: `The scope ${scope} is missing`, details: { scope } });
}
