import type { MessageShape } from '@bufbuild/protobuf';
import type { RecordedName } from '@tollfree/contract/core-operations';
import type { CoreService } from '../../proto/gen/tollfree/core/v1/core_service_pb.ts';
import type { Core } from '../domain/core.ts';
import type { Result } from '../domain/result/result.ts';
import type { Codec } from './codec/codec.ts';
import type { Mapping } from './codec/mapping.ts';

/** Every operation that answers with a value or a refusal; `status` alone does not. */
export type OperationName = Exclude<keyof Core, 'status'>;

export type Input<Name extends OperationName> = Parameters<Core[Name]> extends [infer Only] ? Only : undefined;

export type Value<Name extends OperationName> =
  Awaited<ReturnType<Core[Name]>> extends Result<infer Accepted> ? Accepted : never;

type Rpc<Name extends OperationName> = (typeof CoreService)['method'][RecordedName<Name>];
type ReplyResult<Name extends OperationName> = MessageShape<Rpc<Name>['output']>['result'];
type ValueMessage<Name extends OperationName> = Extract<ReplyResult<Name>, { case: 'value' }>['value'];

type Package = 'tollfree.core.v1';

/** The name of a message without that of its package. */
type ShortName<Wire> = Wire extends { readonly $typeName: `${Package}.${infer Short}` } ? Short : never;

/** For each message that is the value of an operation, its codec. */
export type ValueCodecs = {
  readonly [Name in OperationName as ShortName<ValueMessage<Name>>]: Codec<Value<Name>, ValueMessage<Name>>;
};

type RequestMapping<Name extends OperationName> = Mapping<Input<Name>, Rpc<Name>['input']>;

/** Whether copying each field of the input is right. */
type IsCopied<Name extends OperationName> =
  undefined extends Input<Name> ? true : object extends RequestMapping<Name> ? true : false;

/** Which `fields` of an input travel differently; if the request has another form than the input, the codec of the whole. */
export type RequestRows = {
  readonly [Name in OperationName as IsCopied<Name> extends true ? never : Name]:
    | { readonly fields: RequestMapping<Name> }
    | { readonly input: Codec<Input<Name>, MessageShape<Rpc<Name>['input']>> };
};
