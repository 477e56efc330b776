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

/**
 * What has to be said about an operation to put it on the wire: how its value travels, and which `fields` of its input are
 * not the same there; where the request message is of another form than the input, the codec of the whole `input`.
 */
export type OperationRow<Name extends OperationName> = {
  readonly value: Codec<Value<Name>, ValueMessage<Name>>;
} & (
  | { readonly fields: Mapping<Input<Name>, Rpc<Name>['input']> }
  | { readonly input: Codec<Input<Name>, MessageShape<Rpc<Name>['input']>> }
);
