import type { ArtifactAuthor } from '@plinth/protocol';
import { amountsIn } from '../amounts.js';

/** What the workspace says. */
export type ArtifactStrings = {
  artifactEmpty: string;
  artifactLoading: string;
  artifactTooLarge: string;
  newArtifact: (title: string) => string;
  closeWorkspace: string;
  workspaceFailed: string;
  editArtifact: string;
  previewArtifact: string;
  saveArtifact: string;
  savingArtifact: string;
  savedArtifact: (version: number) => string;
  unsavedChanges: string;
  discardChanges: string;
  /** A model's change that was not made, in the person's words: the tool's own are for the model. */
  documentChanged: string;
  documentChangedHint: string;
  saveFailed: string;
  saveTooLarge: string;
  /** `author` is null while it is not known. */
  changedMeanwhile: (author: ArtifactAuthor['kind'] | null, version: number) => string;
  resolveChanges: string;
  versions: string;
  versionNumber: (version: number) => string;
  versionAuthor: Record<ArtifactAuthor['kind'], string>;
  olderVersion: (version: number, newest: number) => string;
  backToNewest: string;
  restoreVersion: string;
  compareVersion: string;
  versionsFailed: string;
  moreVersions: string;
  closeComparison: string;
  yourVersion: string;
  conflictTitle: string;
  conflictHint: string;
  keepMine: string;
  takeTheirs: string;
  mergeBoth: string;
  conflictsLeft: (count: number) => string;
  differences: (count: number) => string;
  pdfNotShown: string;
  /** The browser cannot draw or play it. */
  mediaNotShown: string;
  htmlNote: string;
  tableFilter: string;
  tableRows: (shown: number, all: number) => string;
  tableBroken: string;
  codeEditor: (title: string) => string;
  /** How the keyboard gets out of an editor that Tab indents in. */
  editorHint: string;
};

const en = amountsIn('en');
const zh = amountsIn('zh');

const rows = (count: number) => (count === 1 ? '1 row' : `${en.number(count)} rows`);

type ByAuthor = Record<ArtifactAuthor['kind'], string>;
/** An artifact is one person's: another person is the same one in another tab. */
const CHANGED_BY_EN: ByAuthor = {
  model: 'The assistant',
  end_user: 'You, in another window,',
  api_key: 'A service',
};
const CHANGED_BY_ZH: ByAuthor = { model: '助手', end_user: '您在另一个窗口中', api_key: '服务' };

export const ARTIFACTS_EN: ArtifactStrings = {
  artifactEmpty: 'This file is empty.',
  artifactLoading: 'Loading',
  artifactTooLarge: 'This file is too large to be shown here. Download it to see it.',
  newArtifact: (title) => `New result: ${title}`,
  closeWorkspace: 'Close the workspace',
  workspaceFailed: 'The workspace could not be loaded.',
  editArtifact: 'Edit',
  previewArtifact: 'Preview',
  saveArtifact: 'Save',
  savingArtifact: 'Saving…',
  savedArtifact: (version) => `Saved as version ${version}`,
  unsavedChanges: 'Unsaved changes',
  discardChanges: 'Discard changes',
  documentChanged: 'Changed meanwhile',
  documentChangedHint:
    'The document had been changed meanwhile. Nothing was overwritten; the assistant reads it again.',
  saveFailed: 'This could not be saved. Your changes are kept here; try again.',
  saveTooLarge: 'This is too large to be saved. Make it shorter.',
  changedMeanwhile: (author, version) =>
    `${author === null ? 'Somebody' : CHANGED_BY_EN[author]} saved version ${version} meanwhile.`,
  resolveChanges: 'Compare and merge',
  versions: 'Versions',
  versionNumber: (version) => `Version ${version}`,
  versionAuthor: { model: 'Assistant', end_user: 'You', api_key: 'Service' },
  olderVersion: (version, newest) => `This is version ${version}; the newest is ${newest}.`,
  backToNewest: 'Show the newest',
  restoreVersion: 'Restore this version',
  compareVersion: 'Compare with the newest',
  versionsFailed: 'The versions could not be loaded.',
  moreVersions: 'Older versions',
  closeComparison: 'Close comparison',
  yourVersion: 'Your changes',
  conflictTitle: 'Both of you changed this',
  conflictHint: 'Nothing is lost: choose one, or merge both and look at the result before you save it.',
  keepMine: 'Keep mine',
  takeTheirs: 'Take theirs',
  mergeBoth: 'Merge both',
  conflictsLeft: (count) =>
    count === 1
      ? 'One place was changed by both of you. Edit the marked lines, then save.'
      : `${count} places were changed by both of you. Edit the marked lines, then save.`,
  differences: (count) => (count === 1 ? '1 difference' : `${en.number(count)} differences`),
  mediaNotShown: 'This browser cannot show this file. Download it to see it.',
  pdfNotShown: 'This browser does not show PDF files in a page. Download it to see it.',
  htmlNote: 'Shown without scripts and without network.',
  tableFilter: 'Filter rows',
  tableRows: (shown, all) => (shown === all ? rows(all) : `${en.number(shown)} of ${rows(all)}`),
  tableBroken: 'Some lines do not fit the table: they may be shown incompletely.',
  codeEditor: (title) => `Text of ${title}`,
  editorHint: 'Ctrl + S saves. Escape, then Tab leaves the editor.',
};

export const ARTIFACTS_ZH: ArtifactStrings = {
  artifactEmpty: '此文件为空。',
  artifactLoading: '加载中',
  artifactTooLarge: '文件过大，无法在此显示。请下载后查看。',
  newArtifact: (title) => `新结果：${title}`,
  closeWorkspace: '关闭工作区',
  workspaceFailed: '工作区加载失败。',
  editArtifact: '编辑',
  previewArtifact: '预览',
  saveArtifact: '保存',
  savingArtifact: '保存中…',
  savedArtifact: (version) => `已保存为版本 ${version}`,
  unsavedChanges: '有未保存的更改',
  discardChanges: '放弃更改',
  documentChanged: '期间已有修改',
  documentChangedHint: '文稿在此期间已被修改。没有覆盖任何内容，助手会重新读取。',
  saveFailed: '保存失败。您的更改仍保留在此处，请重试。',
  saveTooLarge: '内容过大，无法保存。请缩短。',
  changedMeanwhile: (author, version) =>
    `${author === null ? '有人' : CHANGED_BY_ZH[author]}已保存了版本 ${version}。`,
  resolveChanges: '比较并合并',
  versions: '版本',
  versionNumber: (version) => `版本 ${version}`,
  versionAuthor: { model: '助手', end_user: '您', api_key: '服务' },
  olderVersion: (version, newest) => `这是版本 ${version}，最新为版本 ${newest}。`,
  backToNewest: '显示最新版本',
  restoreVersion: '恢复此版本',
  compareVersion: '与最新版本比较',
  versionsFailed: '无法加载版本。',
  moreVersions: '更早的版本',
  closeComparison: '关闭比较',
  yourVersion: '您的更改',
  conflictTitle: '双方都修改了此内容',
  conflictHint: '不会丢失任何内容：选择其中一个，或合并两者，检查后再保存。',
  keepMine: '保留我的',
  takeTheirs: '采用对方的',
  mergeBoth: '合并两者',
  conflictsLeft: (count) => `有 ${count} 处双方都做了修改。请编辑标出的行，然后保存。`,
  differences: (count) => `${zh.number(count)} 处差异`,
  mediaNotShown: '此浏览器无法显示该文件。请下载后查看。',
  pdfNotShown: '此浏览器无法在页面中显示 PDF。请下载后查看。',
  htmlNote: '显示时不运行脚本，也不访问网络。',
  tableFilter: '筛选行',
  tableRows: (shown, all) =>
    shown === all ? `${zh.number(all)} 行` : `${zh.number(all)} 行中的 ${zh.number(shown)} 行`,
  tableBroken: '部分行与表格不符，可能显示不完整。',
  codeEditor: (title) => `${title} 的文本`,
  editorHint: 'Ctrl + S 保存。按 Escape 再按 Tab 离开编辑器。',
};
