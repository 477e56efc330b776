import type { Metadata } from '@grpc/grpc-js';
import { ActorSchema, actAs, currentActor } from '../../domain/access/actor.ts';

/** Who has a call made, as JSON in UTF-8: it is bytes, because a client's words may be in any alphabet. */
const header = 'tollfree-actor-bin';

/** What is sent with a call, and in whose name it is made. */
export function withActor(metadata: Metadata): Metadata {
  const actor = currentActor();
  if (actor === undefined) return metadata;
  const extended = metadata.clone();
  extended.set(header, Buffer.from(JSON.stringify(actor)));
  return extended;
}

/** Serves a call in the name of whom it was made for; one that names no one is the peer's own. */
export function servedFor<T>(metadata: Metadata, peer: string, work: () => Promise<T>): Promise<T> {
  const [given] = metadata.get(header);
  const actor =
    given === undefined ? ({ kind: 'peer', address: peer } as const) : ActorSchema.parse(JSON.parse(given.toString()));
  return actAs(actor, work);
}
