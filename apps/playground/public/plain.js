/** A page without a framework that signs every call of the chat itself. Its back end checks that and adds the credential. */
const chat = document.querySelector('plinth-chat');
const page = new URLSearchParams(location.search);
for (const name of ['thread', 'theme', 'language'])
  if (page.has(name)) chat.setAttribute(name, page.get(name));

const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** The key that this visitor's page signs with, from the business's own back end. */
const signingKey = fetch('api/signing-key', { method: 'POST' })
  .then((answer) => answer.json())
  .then(({ key }) =>
    crypto.subtle.importKey('raw', new TextEncoder().encode(key), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ]),
  );

chat.request = async (url, init) => {
  const signedAt = String(Date.now());
  const { pathname, search } = new URL(url, location.href);
  const signed = [signedAt, init.method ?? 'GET', pathname + search, init.body ?? ''].join('\n');
  const signature = await crypto.subtle.sign('HMAC', await signingKey, new TextEncoder().encode(signed));
  const headers = new Headers(init.headers);
  headers.set('x-studio-signed-at', signedAt);
  headers.set('x-studio-signature', base64url(signature));
  return fetch(url, { ...init, headers });
};

chat.addEventListener('plinth:thread', ({ detail }) => {
  page.set('thread', detail.threadId);
  history.replaceState(null, '', `?${page}`);
});
