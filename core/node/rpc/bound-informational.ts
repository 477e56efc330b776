import type { Dispatcher } from 'undici';

/** Informational answers (1xx) that a server may send before its answer. Honest ones send one or two (100, 103). */
export const maxInformationalAnswers = 8;

/** A server that announces its answer again and again. Each announcement costs us work, and no time-out counts them. */
export class InformationalFloodError extends Error {
  override readonly name = 'InformationalFloodError';
  readonly code = 'INFORMATIONAL_FLOOD';

  constructor() {
    super(`answered more than ${maxInformationalAnswers} times with a status below 200`);
  }
}

/** Ends a request, and its connection, when the server sends informational answers without an end. */
export const boundInformational: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  let informational = 0;
  return dispatch(options, {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
    onResponseStart: (controller, statusCode, headers, statusMessage) => {
      if (statusCode < 200) {
        informational += 1;
        if (informational > maxInformationalAnswers) controller.abort(new InformationalFloodError());
        return;
      }
      handler.onResponseStart?.(controller, statusCode, headers, statusMessage);
    },
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  });
};
