import { type Auth, createPlinth, type FrontendTools, type Plinth, type RequestSeam } from '@plinth/client';
import { createRoot, type Root } from 'react-dom/client';
import type { Labels } from '../ui/index.js';
import { ChatRoot, type ElementComponents } from './chat-root.js';
import type { LoadWorkspace } from './workspace-aside.js';

/** `<plinth-chat>` as scripts see it. Attributes: `base-url`, `agent`, `thread`, `language` (en, zh), `theme` (light, dark), `workspace` (off). */
export interface PlinthChatElement extends HTMLElement {
  /** Signs and sends every call. This or `auth` is needed; until one is set, nothing is drawn. */
  request: RequestSeam | undefined;
  /** Gives the bearer token. */
  auth: Auth | undefined;
  /** The host's components, by the name that component tools use. */
  components: ElementComponents;
  /** What this page can do for tools with the executor `frontend`. To be set before `request` or `auth`. */
  frontendTools: FrontendTools;
  /** The host's own words for its tools and their fields. */
  labels: Labels | undefined;
  /** The client, once there is one: for what the element does not show. */
  readonly plinth: Plinth | null;
}

/** Said by `plinth:thread`: the conversation that is shown has this id. Keep it to come back to it. */
export type PlinthThreadEvent = CustomEvent<{ threadId: string }>;
/** Said by `plinth:error`: loading, following or sending failed. The chat shows it too. */
export type PlinthErrorEvent = CustomEvent<{ code: string; message: string }>;

const ATTRIBUTES = ['base-url', 'agent', 'thread', 'language', 'theme', 'workspace'];
/** May have been set on the element before it was defined. */
const PROPERTIES = ['request', 'auth', 'components', 'frontendTools', 'labels'] as const;
const NO_COMPONENTS: ElementComponents = {};
const NO_TOOLS: FrontendTools = {};

/** Made when it is defined, not when this file is loaded: a server has no `HTMLElement`. */
export function createElementClass(loadWorkspace: LoadWorkspace): CustomElementConstructor {
  /**
   * Draws into itself, not into a shadow tree: the host's styles reach its own components inside, and the style sheet can be
   * a file, as a strict content security policy wants it.
   */
  return class extends HTMLElement implements PlinthChatElement {
    static readonly observedAttributes = ATTRIBUTES;
    #request: RequestSeam | undefined;
    #auth: Auth | undefined;
    #components = NO_COMPONENTS;
    #frontendTools = NO_TOOLS;
    #labels: Labels | undefined;
    #plinth: Plinth | null = null;
    #root: Root | null = null;
    #isQueued = false;

    get request() {
      return this.#request;
    }
    set request(request: RequestSeam | undefined) {
      if (!request !== !this.#request) this.#plinth = null;
      this.#request = request;
      this.#queue();
    }
    get auth() {
      return this.#auth;
    }
    set auth(auth: Auth | undefined) {
      if (!auth !== !this.#auth) this.#plinth = null;
      this.#auth = auth;
      this.#queue();
    }
    get components() {
      return this.#components;
    }
    set components(components: ElementComponents) {
      this.#components = components;
      this.#queue();
    }
    get frontendTools() {
      return this.#frontendTools;
    }
    set frontendTools(tools: FrontendTools) {
      this.#frontendTools = tools;
      this.#plinth = null;
      this.#queue();
    }
    get labels() {
      return this.#labels;
    }
    set labels(labels: Labels | undefined) {
      this.#labels = labels;
      this.#queue();
    }
    get plinth() {
      return this.#plinth;
    }

    connectedCallback(): void {
      for (const name of PROPERTIES) this.#adopt(name);
      this.#queue();
    }

    /** Moving an element in its page takes it out for a moment: what it shows is kept then. */
    disconnectedCallback(): void {
      queueMicrotask(() => {
        if (this.isConnected) return;
        this.#root?.unmount();
        this.#root = null;
      });
    }

    attributeChangedCallback(name: string, before: string | null, now: string | null): void {
      if (name === 'base-url' && before !== now) this.#plinth = null;
      this.#queue();
    }

    #adopt(name: (typeof PROPERTIES)[number]): void {
      if (!Object.hasOwn(this, name)) return;
      const value = (this as Record<string, unknown>)[name];
      delete (this as Record<string, unknown>)[name];
      (this as Record<string, unknown>)[name] = value;
    }

    /** A script sets several things one after the other: they are drawn together. */
    #queue(): void {
      if (this.#isQueued || !this.isConnected) return;
      this.#isQueued = true;
      queueMicrotask(() => {
        this.#isQueued = false;
        if (this.isConnected) this.#draw();
      });
    }

    #client(): Plinth | null {
      if (!this.#request && !this.#auth) return null;
      const seam: { request: RequestSeam } | { auth: Auth } = this.#request
        ? { request: (url, init) => this.#seam()(url, init) }
        : { auth: (options) => this.#token()(options) };
      return createPlinth({
        baseUrl: this.getAttribute('base-url') ?? '',
        frontendTools: this.#frontendTools,
        ...seam,
      });
    }

    #seam(): RequestSeam {
      if (this.#request) return this.#request;
      throw new Error('<plinth-chat> has no request any more.');
    }

    #token(): Auth {
      if (this.#auth) return this.#auth;
      throw new Error('<plinth-chat> has no auth any more.');
    }

    #draw(): void {
      this.style.colorScheme = this.getAttribute('theme') ?? '';
      this.#plinth ??= this.#client();
      const agent = this.getAttribute('agent');
      if (this.#plinth === null || agent === null) return;
      const language = this.getAttribute('language');
      this.#root ??= createRoot(this);
      this.#root.render(
        <ChatRoot
          plinth={this.#plinth}
          agent={agent}
          threadId={this.getAttribute('thread')}
          language={language === 'en' || language === 'zh' ? language : undefined}
          labels={this.#labels}
          components={this.#components}
          loadWorkspace={this.getAttribute('workspace') === 'off' ? null : loadWorkspace}
          onThread={this.#sayThread}
          onError={this.#sayError}
        />,
      );
    }

    readonly #sayThread = (threadId: string): void => this.#say('plinth:thread', { threadId });

    readonly #sayError = ({ code, message }: { code: string; message: string }): void =>
      this.#say('plinth:error', { code, message });

    #say(name: string, detail: unknown): void {
      this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
    }
  };
}
