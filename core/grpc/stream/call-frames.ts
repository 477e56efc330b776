import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import type { MethodDefinition } from '@grpc/grpc-js';
import { CallStreamService } from '../../../proto/gen/tollfree/core/v1/call_stream_pb.ts';
import { asBuffer } from '../bridge.ts';

/** Bounds of a message with several calls, or answers. What is longer on its own is sent on its own. */
export const frameLimits = {
  /** Calls of a message, or answers. */
  maxItems: 128,
  /** Calls that a server begins in one turn of the event loop. */
  maxBegun: 32,
  /** A message is closed once it has so many bytes. */
  fullBytes: 64 * 1024,
  /** The longest request that goes with others. A longer one is a unary call. */
  maxRequestBytes: 32 * 1024,
  /** The longest message with calls that a server reads. */
  maxBytes: 128 * 1024,
} as const;

/** What a call is answered that crosses a server's stop, in the words of the library for the same: nothing of it has begun. */
export const refusedWhileStopping = 'Stream refused by server';

const asBytes = (bytes: Buffer) => bytes;

/** The stream as grpc-js wants it, in bytes: what they mean is read under the care of either side. */
export const exchangeMethod: MethodDefinition<Buffer, Buffer> = {
  path: `/${CallStreamService.typeName}/${CallStreamService.method.exchange.name}`,
  originalName: CallStreamService.method.exchange.localName,
  requestStream: true,
  responseStream: true,
  requestSerialize: asBytes,
  requestDeserialize: asBytes,
  responseSerialize: asBytes,
  responseDeserialize: asBytes,
};

export const callFrame = frame(CallStreamService.method.exchange.input);
export const answerFrame = frame(CallStreamService.method.exchange.output);

function frame<Descriptor extends DescMessage>(descriptor: Descriptor) {
  return {
    write: (message: MessageInitShape<Descriptor>): Buffer =>
      asBuffer(toBinary(descriptor, create(descriptor, message))),
    /** Throws where the bytes are none. */
    read: (bytes: Buffer): MessageShape<Descriptor> => fromBinary(descriptor, bytes),
  };
}

/** Collects what is sent in a turn of the event loop, and sends it at its end, in as many messages as the limits want. */
export function collectForTurn<Item>(
  sizeOf: (item: Item) => number,
  send: (items: Item[]) => void,
): (item: Item) => void {
  let items: Item[] = [];
  let bytes = 0;
  let isScheduled = false;

  function sendNow(): void {
    const ready = items;
    items = [];
    bytes = 0;
    if (ready.length > 0) send(ready);
  }
  function endTurn(): void {
    isScheduled = false;
    sendNow();
  }

  return (item) => {
    const size = sizeOf(item);
    if (bytes + size > frameLimits.fullBytes) sendNow();
    items.push(item);
    bytes += size;
    if (items.length >= frameLimits.maxItems) sendNow();
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(endTurn);
  };
}
