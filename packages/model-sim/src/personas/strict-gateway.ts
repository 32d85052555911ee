/*
 * A gateway of 30 MB in front of the OpenAI API; behind it nothing is different.
 *
 * `strictGateway` is nginx with `client_max_body_size 30m`: 413 and its page (ngx_http_special_response.c).
 * `strictGatewayJson` is the LiteLLM proxy with `max_request_size_mb: 30`: 400 and JSON (its configuration reference,
 * "Expected Response from request").
 */
import { Refusal } from '../api/refusal.js';
import { openai } from './openai.js';
import type { MakePersona } from './persona.js';

const MIB = 1024 * 1024;
const BODY_BYTES = 30 * MIB;
const PAGE = [
  '<html>',
  '<head><title>413 Request Entity Too Large</title></head>',
  '<body>',
  '<center><h1>413 Request Entity Too Large</h1></center>',
  '<hr><center>nginx</center>',
  '</body>',
  '</html>',
  '',
].join('\r\n');

class NginxRefusal extends Refusal {
  readonly status = 413;

  body(): unknown {
    return PAGE;
  }
}

class ProxyRefusal extends Refusal {
  readonly status = 400;

  body(): unknown {
    return {
      error: { message: this.message, type: 'bad_request_error', param: 'content-length', code: this.status },
    };
  }
}

const gateway =
  (refuse: (sizeBytes: number, limitBytes: number) => Refusal): MakePersona =>
  (overrides = {}) => {
    const behind = openai({ bodyBytes: BODY_BYTES, ...overrides });
    const { bodyBytes } = behind.walls;
    return {
      ...behind,
      refuseBody: (sizeBytes) => (sizeBytes > bodyBytes ? refuse(sizeBytes, bodyBytes) : undefined),
    };
  };

export const strictGateway = gateway(() => new NginxRefusal('413 Request Entity Too Large'));

export const strictGatewayJson = gateway(
  (sizeBytes, limitBytes) =>
    new ProxyRefusal(
      `Request size is too large. Request size is ${sizeBytes / MIB} MB. Max size is ${limitBytes / MIB} MB`,
    ),
);
