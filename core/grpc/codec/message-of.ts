import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import type { Codec } from './codec.ts';
import { createMessageCodec } from './create-message-codec.ts';
import type { Mapping } from './mapping.ts';

/**
 * The codec of a message and of the domain type with the same fields. Fields that are the same on both sides are copied;
 * the mapping says how the others travel, and may be left out where there are none. The domain type is given first and
 * alone, because it stands in no argument: `messageOf<Account>()(AccountSchema, { createdAt: seconds })`.
 */
export function messageOf<Domain>() {
  return <Desc extends DescMessage>(
    schema: Desc,
    ...[mapping]: object extends Mapping<Domain, Desc> ? [] : [Mapping<Domain, Desc>]
  ): Codec<Domain, MessageShape<Desc>> => createMessageCodec<Domain, Desc>(schema, mapping);
}
