import type { Dispatcher } from 'undici';

/** Most informational answers (1xx) before the final one. Honest servers send one or two (100, 103). */
export const maxInformationalAnswers = 8;

/** A server sends informational answers without end. Each costs us work, and no time-out counts them. */
export class InformationalFloodError extends Error {
  override readonly name = 'InformationalFloodError';
  readonly code = 'INFORMATIONAL_FLOOD';

  constructor() {
    super(`answered more than ${maxInformationalAnswers} times with a status below 200`);
  }
}

/** Ends a request and its connection when the server sends too many informational answers. */
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
