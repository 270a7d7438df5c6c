import { isLanguageTag, LANGUAGE_TAGS, type LanguageTag, type PageLanguage } from '@causeway/screens'
import Negotiator from 'negotiator'
import type { Exchange } from './exchange.ts'
import type { FlatHeaders } from './security-headers.ts'

/** Paths of the pages that exist in all languages (decisions §54). */
const TRANSLATED = /^\/(?:pay|onboarding)\//

type Requested = Pick<Exchange, 'path' | 'search' | 'request'>

/**
 * Chooses the language of a page: that of the URL's `lang`, else the one that the browser prefers, else English. No cookie
 * remembers it (ADR 0095).
 */
export const pageLanguage = ({ path, search, request }: Requested): PageLanguage => {
  if (!TRANSLATED.test(path)) return { tag: 'en', isInUrl: false }
  const inUrl = new URLSearchParams(search).get('lang')
  if (isLanguageTag(inUrl)) return { tag: inUrl, isInUrl: true }
  const [accepted] = new Negotiator(request).languages([...LANGUAGE_TAGS])
  return { tag: (accepted as LanguageTag | undefined) ?? 'en', isInUrl: false }
}

/** Headers of a page that exists in several languages. */
export const languageHeaders = (exchange: Requested): FlatHeaders =>
  TRANSLATED.test(exchange.path)
    ? ['Content-Language', pageLanguage(exchange).tag, 'Vary', 'Accept-Language']
    : []
