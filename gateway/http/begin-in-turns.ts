import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { managementErrors } from '@tollfree/contract/errors';
import { createFairQueue } from '../../core/base/values/fair-queue.ts';
import type { ClientAddress } from '../limits/caller-address.ts';
import { retryAfter, sendError } from './send-json.ts';

/** Most requests of one client address that wait to begin. The credential with the most loses its last one. */
const maxWaiting = 500;
/** Longest pause after the turn of a request, in milliseconds. */
const maxPauseMs = 10;
/** When a client whose request was dropped should ask again, in milliseconds. */
const retryMs = 1_000;

/** Begins to answer a request, at once or in a later turn of the event loop. */
type BeginInTurn = (request: IncomingMessage, response: ServerResponse, answer: () => void) => void;

type Waiting = { readonly response: ServerResponse; begin(): void };

/**
 * Begins with one request in a turn of the event loop, and then leaves as much time to everything else: a server takes one new
 * connection in a turn, so turns have to be short where many wait. Credentials, rate and routing take a millisecond or two of the processor, and
 * hundreds of requests that arrive at the same time would take it from sponsorships for as long as they all need. Client addresses
 * take turns, and so do the credentials at an address: how many requests one tenant sends does not matter to another, even behind
 * the same proxy.
 */
export function createBeginInTurns(clientAddress: ClientAddress): BeginInTurn {
  /** An entry for each request that waits: the address it is from. */
  const addresses = createFairQueue<string>();
  const waiting = new Map<string, ReturnType<typeof createFairQueue<Waiting>>>();
  let hasBegun = false;

  /** Requests whose client has gone are skipped. */
  function beginNext(): void {
    hasBegun = false;
    for (let [address] = addresses.take(1); address !== undefined; [address] = addresses.take(1)) {
      const [next] = waiting.get(address)?.take(1) ?? [];
      if (waiting.get(address)?.size() === 0) waiting.delete(address);
      if (next === undefined || next.response.destroyed) continue;
      noteBegun();
      next.begin();
      return;
    }
  }

  function noteBegun(): void {
    hasBegun = true;
    const began = performance.now();
    setImmediate(() => setTimeout(beginNext, Math.min(performance.now() - began, maxPauseMs)));
  }

  return (request, response, answer) => {
    if (!hasBegun) {
      noteBegun();
      answer();
      return;
    }
    const address = clientAddress(request);
    const atAddress = waiting.get(address) ?? createFairQueue<Waiting>(maxWaiting);
    waiting.set(address, atAddress);
    const dropped = atAddress.add(credentialOf(request), { response, begin: AsyncResource.bind(answer) });
    if (dropped === undefined) addresses.add(address, address);
    else sendError(dropped.response, managementErrors.tooManyRequests, retryAfter(retryMs));
  };
}

/** What tells the clients at one address apart. It is not checked yet. */
function credentialOf({ headers }: IncomingMessage): string {
  return String(headers.authtoken ?? headers.authorization ?? headers.cookie ?? '');
}
