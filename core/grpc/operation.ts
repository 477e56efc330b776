import type { Message } from '@bufbuild/protobuf';
import type { Refusal as RefusalMessage } from '../../proto/gen/tollfree/core/v1/refusal_pb.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { UnaryMethod } from './bridge.ts';
import type { Converter } from './messages/converter.ts';
import { refusalConverter } from './messages/refusal-messages.ts';

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
type Reply<ValueMessage, Name extends string> = Message<Name> & {
  result:
    | { case: 'value'; value: ValueMessage }
    | { case: 'refusal'; value: RefusalMessage }
    | { case: undefined; value?: undefined };
};

/** Makes an operation of a method of the service and of the converters of its input and its value. */
export function operation<Request, ValueMessage, Name extends string, Input, Value>(
  method: UnaryMethod<Request, Reply<ValueMessage, Name>>,
  input: Converter<Input, Request>,
  value: Converter<Value, ValueMessage>,
): Operation<Input, Value> {
  return {
    serve(route, perform) {
      route(method, async (request) => {
        const outcome = await perform(input.toDomain(request));
        const response = method.newResponse();
        response.result = outcome.ok
          ? { case: 'value', value: value.toMessage(outcome.value) }
          : { case: 'refusal', value: refusalConverter.toMessage(outcome.refusal) };
        return response;
      });
    },
    call(send) {
      return async (domain) => {
        const { result } = await send(method, input.toMessage(domain));
        switch (result.case) {
          case 'value':
            return accept(value.toDomain(result.value));
          case 'refusal':
            return refuse(refusalConverter.toDomain(result.value));
          default:
            throw new TypeError(`${method.path} was answered with neither a value nor a refusal`);
        }
      };
    },
  };
}
