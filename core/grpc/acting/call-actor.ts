import type { Metadata } from '@grpc/grpc-js';
import { ActorSchema, actAs, currentActor } from '../../domain/access/actor.ts';

/** The actor of a call, as JSON in UTF-8: binary, because a client's name for itself may use any characters. */
const header = 'tollfree-actor-bin';

/** Adds the current actor to a call's metadata. */
export function withActor(metadata: Metadata): Metadata {
  const actor = currentActor();
  if (actor === undefined) return metadata;
  const extended = metadata.clone();
  extended.set(header, Buffer.from(JSON.stringify(actor)));
  return extended;
}

/** Serves a call on behalf of its actor; a call without one is the peer's own. */
export function servedFor<T>(metadata: Metadata, peer: string, work: () => Promise<T>): Promise<T> {
  const [given] = metadata.get(header);
  const actor =
    given === undefined ? ({ kind: 'peer', address: peer } as const) : ActorSchema.parse(JSON.parse(given.toString()));
  return actAs(actor, work);
}
