import { AsyncLocalStorage } from 'node:async_hooks';
import { authorKinds } from '@tollfree/contract/access/audit-log';
import { z } from 'zod';
import { address, chainId, message, optionalListOf, request, text, trueOrAbsent } from '../../base/message-schema.ts';
import { scopes } from './scope.ts';

/**
 * What someone who has something done has shown: an authToken or a session; nothing yet, as at a sign-in; or he is the
 * operator at the command line, or a program that speaks gRPC for itself.
 */
const ActorKindSchema = z.enum(authorKinds).exclude(['service']);

/** Who has something done, and from where. It travels with a call and is no part of what is asked. */
export const ActorSchema = z.object({
  kind: ActorKindSchema,
  /** Of an authToken or a session. */
  accountId: z.string().optional(),
  /** The id of the authToken or session, which is not its secret. */
  credentialId: z.string().optional(),
  /** The wallet that signed in for the session. */
  wallet: z.string().optional(),
  /** Where the request came from, past the proxies that are trusted. */
  address: z.string().optional(),
  /** What program sent it, in its own words. */
  client: z.string().optional(),
});
export type Actor = z.infer<typeof ActorSchema>;

/** Does something in someone's name: all that happens until the promise is settled. */
export type ActAs = <T>(actor: Actor, work: () => Promise<T>) => Promise<T>;

/** An operation of the core that is under way, and what it was given. */
export type OperationUnderWay = { readonly name: string; readonly input: unknown };

/**
 * What is being done, and in whose name. It is switched off while nothing is: before Node.js 24, one storage costs every promise of
 * the process, a fifth of a decision's processor time.
 */
const doing = new AsyncLocalStorage<{ readonly actor?: Actor; readonly operation?: OperationUnderWay }>();
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

export const actAs: ActAs = (actor, work) => within({ actor }, work);

/** In whose name something is done; of no one's where the service does it by itself. */
export function currentActor(): Actor | undefined {
  return doing.getStore()?.actor;
}

/** Carries out an operation, so that what it writes is known as its own. */
export function carryOut<T>(operation: OperationUnderWay, work: () => Promise<T>): Promise<T> {
  return within({ ...doing.getStore(), operation }, work);
}

/** The operation that is being carried out. */
export function currentOperation(): OperationUnderWay | undefined {
  return doing.getStore()?.operation;
}

/**
 * Who calls: an account, and the paymaster its apiKey names where the call carries one. With them what was shown: the
 * id of an authToken, or that of a session with the wallet that signed in for it.
 */
export const CallerSchema = message('Caller', {
  /** The account the authToken belongs to. */
  accountId: text,
  /** The paymaster the apiKey names. Absent when no apiKey was given. */
  paymasterId: text.exactOptional(),
  /** Id of the authToken that was shown. Absent: a session was, or it does not matter. */
  authTokenId: text.exactOptional(),
  /** Id of the session that was shown. Absent: an authToken was, or it does not matter. */
  sessionId: text.exactOptional(),
  /** Checksummed address of the wallet that signed in for the session. Absent: none did. */
  wallet: address.exactOptional(),
  /** The chain of that wallet if it is a contract (ERC-1271). */
  chainId: chainId.exactOptional(),
  /** What the call may: `read`, `manage`, `funds`. Absent: nothing. */
  scopes: optionalListOf(z.enum(scopes)),
  /** The call may see what only the operator of the service sees. */
  operator: trueOrAbsent,
});
export type Caller = z.output<typeof CallerSchema>;

/** A paymaster and the account it must belong to. Every query is bound to both. */
export const owned = { accountId: text, paymasterId: text };
const OwnedSchema = request(owned);
export type Owned = z.output<typeof OwnedSchema>;
