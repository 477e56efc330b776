import type { DescMessage, Message, MessageShape } from '@bufbuild/protobuf';
import type { Codec } from './codec.ts';
import type { PresenceCodec } from './presence.ts';

/** The fields of a message, by their names in the generated code. */
export type WireFields<Desc extends DescMessage> = Omit<MessageShape<Desc>, keyof Message>;

/** Lists and maps are read-only in the domain. */
type AsReadonly<Wire> = Wire extends readonly (infer Item)[] ? readonly Item[] : Wire;

/** Whether a field is the same on both sides, so that copying it is right in both directions. */
type IsSame<Domain, Wire> = [Wire] extends [Domain] ? ([Domain] extends [AsReadonly<Wire>] ? true : false) : false;

/** The codec of a field: of its value where both sides may lack it, else of all that either side may hold. */
type FieldCodec<Domain, Wire> = undefined extends Wire
  ? undefined extends Domain
    ? Codec<Exclude<Domain, undefined>, Exclude<Wire, undefined>>
    : PresenceCodec<Domain, Exclude<Wire, undefined>>
  : Codec<Domain, Wire>;

/** The keys of both sides; no input at all has none. */
type Keys<Domain, Desc extends DescMessage> = keyof WireFields<Desc> | keyof NonNullable<Domain>;

type DomainField<Domain, Key> = Key extends keyof Domain ? Domain[Key] : never;
type WireField<Desc extends DescMessage, Key> = Key extends keyof WireFields<Desc> ? WireFields<Desc>[Key] : never;

/** A field that only one side has: nothing can be declared for it, so its mapping does not compile. */
type MissingField = { readonly theOtherSideHasNoSuchField: never };

/**
 * What has to be said about a message to convert it: a codec for every field that is not the same in the domain and on the
 * wire. A field that is the same has no place here; one that either side lacks cannot be given, so the mapping fails to
 * compile.
 */
export type Mapping<Domain, Desc extends DescMessage> = {
  readonly [Key in Keys<Domain, Desc> as Key extends keyof WireFields<Desc> & keyof NonNullable<Domain>
    ? IsSame<DomainField<Domain, Key>, WireField<Desc, Key>> extends true
      ? never
      : Key
    : Key]: Key extends keyof WireFields<Desc> & keyof NonNullable<Domain>
    ? FieldCodec<DomainField<Domain, Key>, WireField<Desc, Key>>
    : MissingField;
};
