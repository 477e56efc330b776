import type { DescMethodUnary, Message } from '@bufbuild/protobuf';
import { coreOperations, type RecordedName } from '@tollfree/contract/core-operations';
import { CoreService } from '../../proto/gen/tollfree/core/v1/core_service_pb.ts';
import type { Refusal as RefusalMessage } from '../../proto/gen/tollfree/core/v1/refusal_pb.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import { type UnaryMethod, unaryMethod } from './bridge.ts';
import type { Codec } from './codec/codec.ts';
import { createMessageCodec } from './codec/create-message-codec.ts';
import { refusal } from './messages/refusal-messages.ts';
import type { Input, OperationName, Value } from './operation-types.ts';
import { requestRows } from './request-rows.ts';
import { valueCodecs } from './value-codecs.ts';

/** Offers a method on a server. */
export type Route = <Request, Response>(
  method: UnaryMethod<Request, Response>,
  handle: (request: Request) => Promise<Response>,
) => void;

/** Calls a method of a server. */
export type Send = <Request, Response>(method: UnaryMethod<Request, Response>, request: Request) => Promise<Response>;

/** One operation of the core on the wire: how a server offers it and how a client calls it, in domain types. */
export type Operation<Input, Value> = {
  serve(route: Route, perform: (input: Input) => Promise<Result<Value>>): void;
  call(send: Send): (input: Input) => Promise<Result<Value>>;
};

/** What every response message of the service looks like, whatever its name. */
type Reply = Message & {
  result:
    | { case: 'value'; value: Message }
    | { case: 'refusal'; value: RefusalMessage }
    | { case: undefined; value?: undefined };
};

/** Makes an operation of the service's method, its row and the codec of its value. */
export function operation<Name extends OperationName>(name: Name): Operation<Input<Name>, Value<Name>> {
  const descriptor: DescMethodUnary = CoreService.method[coreOperations[name].recordedAs as RecordedName<Name>];
  // The types of rows and codecs have made sure that they fit the method's messages, and the service has no other responses.
  const method = unaryMethod(descriptor) as unknown as UnaryMethod<Message, Reply>;
  const row = (requestRows as UncheckedRows)[name];
  const input = (row?.input ?? createMessageCodec(descriptor.input, row?.fields as never)) as Codec<
    Input<Name>,
    Message
  >;
  const value = valueCodecOf(descriptor) as Codec<Value<Name>, Message>;
  return {
    serve(route, perform) {
      route(method, async (request) => {
        const outcome = await perform(input.toDomain(request));
        const response = method.newResponse();
        response.result = outcome.ok
          ? { case: 'value', value: value.toWire(outcome.value) }
          : { case: 'refusal', value: refusal.toWire(outcome.refusal) };
        return response;
      });
    },
    call(send) {
      return async (domain) => {
        const { result } = await send(method, input.toWire(domain));
        switch (result.case) {
          case 'value':
            return accept(value.toDomain(result.value));
          case 'refusal':
            return refuse(refusal.toDomain(result.value));
          default:
            throw new TypeError(`${method.path} was answered with neither a value nor a refusal`);
        }
      };
    },
  };
}

type UncheckedRows = {
  readonly [name: string]: { readonly fields?: object; readonly input?: unknown } | undefined;
};

/** The codec for the message that the method answers as `value`. */
function valueCodecOf({ output }: DescMethodUnary): unknown {
  const message = output.field.value?.message?.name;
  const codec = message === undefined ? undefined : (valueCodecs as Readonly<Record<string, unknown>>)[message];
  if (codec === undefined) throw new TypeError(`${output.typeName} has no codec for its value`);
  return codec;
}
