import {
  autocompletion,
  completionKeymap,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { getNonce } from 'get-nonce';
import { useEffect, useEffectEvent, useRef } from 'react';
import { type FilterVocabulary, suggest } from './filter-language.js';

export interface FilterEditorProps {
  readonly value: string;
  readonly label: string;
  readonly vocabulary: FilterVocabulary;
  readonly onChange: (value: string) => void;
  readonly onSubmit: () => void;
}

const language = StreamLanguage.define({
  token: (stream) => {
    if (stream.eatSpace()) return null;
    if (stream.match(/'(?:[^']|'')*'?/)) return 'string';
    if (stream.match(/(?:AND|OR|NOT|IN|IS|NULL|TRUE|FALSE)\b/i)) return 'keyword';
    if (stream.match(/date(?=\()/i)) return 'keyword';
    if (stream.match(/-?\d+(?:\.\d+)?/)) return 'number';
    if (stream.match(/[\w.]+/)) return 'variableName';
    stream.next();
    return 'operator';
  },
});

const colours = HighlightStyle.define([
  { tag: tags.string, color: 'var(--color-good)' },
  { tag: tags.keyword, color: 'var(--color-accent)', fontWeight: '600' },
  { tag: tags.number, color: 'var(--color-warn)' },
  { tag: tags.operator, color: 'var(--color-muted)' },
]);

const theme = EditorView.theme({
  '&': { fontSize: '13px', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { fontFamily: 'var(--font-mono)', padding: '5px 8px', caretColor: 'var(--color-ink)' },
  '.cm-line': { padding: '0' },
  '.cm-placeholder': { color: 'var(--color-muted)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--color-raised)',
    border: '1px solid var(--color-line)',
    borderRadius: '6px',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--color-accent-wash)',
    color: 'var(--color-accent)',
  },
});

/** One line in which a filter is written, with completion of fields, words and values. */
export function FilterEditor({ value, label, vocabulary, onChange, onSubmit }: FilterEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const complete = useEffectEvent((context: CompletionContext): CompletionResult | null => {
    const found = suggest(context.state.sliceDoc(0, context.pos), vocabulary);
    if (!found || (!context.explicit && found.from === context.pos)) return null;
    return { from: found.from, options: [...found.options] };
  });
  const submit = useEffectEvent(onSubmit);
  const change = useEffectEvent(onChange);
  const begin = useEffectEvent((parent: HTMLElement) => {
    const nonce = getNonce();
    return new EditorView({
      parent,
      state: EditorState.create({
        doc: value,
        extensions: [
          ...(nonce === undefined ? [] : [EditorView.cspNonce.of(nonce)]),
          // a tab stop by name: what scrolls has to be reached by the keyboard
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          // a filter is one line; what is pasted becomes one
          EditorState.transactionFilter.of((change) => (change.newDoc.lines > 1 ? [] : change)),
          autocompletion({ override: [complete], icons: false }),
          Prec.high(keymap.of([...completionKeymap, { key: 'Enter', run: () => (submit(), true) }])),
          history(),
          keymap.of([...historyKeymap, ...defaultKeymap]),
          language,
          syntaxHighlighting(colours),
          theme,
          placeholder(vocabulary.example),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) change(state.doc.toString());
          }),
        ],
      }),
    });
  });
  useEffect(() => {
    if (!host.current) return undefined;
    const editor = begin(host.current);
    view.current = editor;
    return () => editor.destroy();
  }, []);
  useEffect(() => {
    const { current } = view;
    const doc = current?.state.doc.toString();
    if (current && doc !== value)
      current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: value } });
  }, [value]);
  return <div ref={host} className="min-w-0 flex-1" />;
}
