import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { NextFunction, Request, Response } from 'express';
import type { ActAs, Actor } from '../../core/domain/access/actor.ts';
import type { ClientAddress } from '../limits/client-address.ts';
import { findCaller } from './caller.ts';

/** Characters that are kept of what a client calls itself. */
const maxClientLength = 200;

/**
 * The last middleware of a management route: what follows is done in the name of the authenticated caller, or of a
 * visitor. It comes after the body was read, which ends what runs in a name.
 */
export function createActAsCaller(actAs: ActAs, clientAddress: ClientAddress) {
  return (request: Request, _response: Response, next: NextFunction): void => {
    const client = clientText(request.headers['user-agent']);
    actAs({ ...toActor(request), address: clientAddress(request), ...omitAbsent({ client }) }, next);
  };
}

function toActor(request: Request): Actor {
  const caller = findCaller(request);
  if (caller === undefined) return { kind: 'visitor' };
  const { accountId, authTokenId, sessionId, wallet } = caller;
  return sessionId === undefined
    ? { kind: 'auth-token', accountId, ...omitAbsent({ credentialId: authTokenId }) }
    : { kind: 'session', accountId, credentialId: sessionId, ...omitAbsent({ wallet }) };
}

/** The client's words, short and without what would change how a terminal or a page shows them. */
function clientText(userAgent: string | undefined): string | undefined {
  const text = userAgent?.replace(/[^\x20-\x7e]/g, '?').slice(0, maxClientLength);
  return text === '' ? undefined : text;
}
