'use client';
export type { ArtifactEditProps, ArtifactPlugin, ArtifactViewProps } from './artifacts/artifact-plugin.js';
export { ArtifactWorkspace, type ArtifactWorkspaceProps } from './artifacts/artifact-workspace.js';
export { type OpenArtifact, useOpenArtifact } from './artifacts/use-open-artifact.js';
export { AskUserCard } from './ask-user/ask-user-card.js';
export { ComponentSlot } from './component-slot.js';
export { Composer } from './composer.js';
export { type ComposerStatus, composerStatus } from './composer-status.js';
export { ConfirmCard } from './confirm-card.js';
export { ConnectionBadge } from './connection-badge.js';
export { sortFieldErrors } from './field-errors.js';
export { Markdown, type MarkdownProps } from './markdown.js';
export { PlinthChat, type PlinthChatProps } from './plinth-chat.js';
export { QuestionCard } from './question-card.js';
export type { Language, UiStrings } from './strings.js';
export { ThreadList, type ThreadListProps } from './thread-list.js';
export { ToolCard } from './tool-card.js';
export { ToolQuestionCard } from './tool-question-card.js';
export {
  browserLanguage,
  type Direction,
  type Labels,
  UI_STRINGS,
  UiProvider,
  type UiProviderProps,
  useUi,
} from './ui-context.js';
