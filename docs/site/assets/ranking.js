// Ranks things by their names, for the search and for the filter of the operators. A name is a title, a
// heading, a purpose, or what people call a thing elsewhere. A question and a name rarely have all words
// in common, so a common word counts the more the rarer it is, and a name with little else is better.
// Running text decides only between things that are named alike.
const Ranking = (() => {
  // What a question has besides its subject.
  const fillerWords =
    "a about after am an and are as at be by can could did do does doesnt dont for from get gets has "
    + "have how i if im in into is isnt it its like make me mean my of on or our should so some swift "
    + "than that the their them then there these they this to up use used using want way we what whats "
    + "when where which who why will with would you your";

  /** A word without the endings of its forms: `debouncing` and `debounced` are `debounc`. */
  const stem = (word) => {
    if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
    let result = word.replace(/ies$/, "y").replace(/([^su])s$/, "$1");
    const short = result.replace(/(ation|ing|ed)$/, "");
    if (short.length >= 3 && /[aeiouy]/.test(short)) result = short;
    result = result.replace(/(.)\1$/, "$1");
    return result.length > 3 ? result.replace(/e$/, "") : result;
  };

  const fillers = new Set(fillerWords.split(" ").map(stem));

  // Pages repeat their words, so each is taken apart once.
  const known = new Map();
  const compound = (word) => {
    let result = known.get(word);
    if (!result) {
      const texts = word.replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$&-").split(/[-_]/)
        .filter(Boolean);
      const parts = texts.length > 1 ? texts.map((part) => stem(part.toLowerCase())) : [];
      const whole = stem(word.replace(/[-_]/g, "").toLowerCase());
      result = { text: word, texts, whole, parts };
      known.set(word, result);
    }
    return result;
  };

  /** The words of a text. A name such as `flatMap` or `back-pressure` is one word, and its parts. */
  const compounds = (text) =>
    (text.normalize("NFKD").replace(/[\u0300-\u036f'’]/g, "")
      .match(/[\p{L}\p{N}]+(?:[-_][\p{L}\p{N}]+)*/gu) ?? []).map(compound);

  const wordsOfCompound = ({ whole, parts }) => [whole, ...parts];

  const wordsOf = (text) => compounds(text).flatMap(wordsOfCompound);

  /** How many letters are added, left out, changed, or swapped with the next one between two words. */
  const distance = (a, b) => {
    let [last, row] = [[], Array.from({ length: b.length + 1 }, (_, i) => i)];
    for (let i = 1; i <= a.length; i++) {
      const next = [i];
      for (let j = 1; j <= b.length; j++) {
        next[j] = Math.min(
          row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1),
          a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? last[j - 2] + 1 : Infinity);
      }
      [last, row] = [row, next];
    }
    return row[b.length];
  };

  const isTypo = (a, b) =>
    a[0] === b[0] && Math.abs(a.length - b.length) < 2 && distance(a, b) < 2;

  class Index {
    #things;
    #rarity = new Map();
    /** The words of names, as the names write them. */
    #named = new Map();
    #average;

    /** Each thing has `names`, arrays that begin with a text and a weight up to 1, and maybe a `text`. */
    constructor(things) {
      const counts = new Map();
      this.#things = things.map((thing) => {
        const names = thing.names.map((name) => {
          const parts = compounds(name[0]).filter(({ whole }) => !fillers.has(whole));
          return { name, parts, words: new Set(parts.flatMap(wordsOfCompound)) };
        }).filter(({ words }) => words.size);
        const text = new Map();
        const words = wordsOf(thing.text ?? "");
        for (const word of words) text.set(word, (text.get(word) ?? 0) + 1);
        for (const word of new Set([...text.keys(), ...names.flatMap((name) => [...name.words])])) {
          counts.set(word, (counts.get(word) ?? 0) + 1);
        }
        for (const { text, texts, whole, parts } of names.flatMap((name) => name.parts)) {
          [[whole, text], ...parts.map((part, i) => [part, texts[i]])].forEach(([word, spelled]) => {
            if (!this.#named.has(word)) this.#named.set(word, spelled);
          });
        }
        return { thing, names, text, length: words.length };
      });
      for (const [word, count] of counts) {
        this.#rarity.set(word, Math.log(1 + (things.length - count + 0.5) / (count + 0.5)));
      }
      this.#average = this.#things.reduce((sum, { length }) => sum + length, 0) / things.length || 1;
    }

    /** How much of a name a question has. A compound counts once: as a whole, or by its parts. */
    #share(compounds, found) {
      let [has, size] = [0, 0];
      for (const { whole, parts } of compounds) {
        const rarity = this.#rarity.get(whole);
        size += rarity;
        if (found.has(whole)) has += rarity;
        else if (parts.length) {
          has += rarity * parts.filter((part) => found.has(part)).length / parts.length;
        }
      }
      return has / size;
    }

    /** The words to look for, each with those of the index that it may stand for. */
    #terms(question) {
      const all = compounds(question);
      const named = all.filter(({ whole }) => !fillers.has(whole));
      const used = named.length ? named : all;
      const words = new Map();
      for (const { text, texts, whole, parts } of used) {
        // `thread-safe` is one word, but a page may say it in two.
        const isName = this.#named.has(whole);
        words.set(whole, { text, share: isName || !parts.length ? 1 : 0.3 });
        parts.forEach((part, i) => {
          if (!words.has(part)) words.set(part, { text: texts[i], share: isName ? 0.3 : 1 });
        });
      }
      return [...words].map(([word, { text, share }], index, { length }) => {
        const found = new Map(this.#rarity.has(word) ? [[word, 1]] : []);
        // The last word may not be complete yet, and a word that nothing has may be mistyped.
        const isLast = index === length - 1;
        const start = text.toLowerCase();
        for (const other of this.#rarity.keys()) {
          if (found.has(other)) continue;
          // A short stem begins too much: that of `fire` also begins `first`.
          const beginning = word.length > 4 ? word : start;
          if (isLast && start.length > 1 && other.startsWith(beginning)) found.set(other, 0.6);
          else if (!this.#rarity.has(word) && word.length > 4 && isTypo(word, other)) {
            found.set(other, 0.5);
          }
        }
        const best = Math.max(0, ...[...found.keys()].map((other) => this.#rarity.get(other)));
        return { text, found, weight: share * (this.#rarity.get(word) ?? (best || 1)) };
      });
    }

    /** The words of names that are nearest to those of a question, as the names write them. */
    nearest(question, most) {
      // A pasted text isn't a question.
      const words = compounds(question).slice(0, 8).map(({ text }) => text.toLowerCase());
      const share = (a, b) => {
        const longest = Math.max(a.length, b.length);
        return Math.abs(a.length - b.length) > 0.4 * longest ? 1 : distance(a, b) / longest;
      };
      return [...new Set(this.#named.values())]
        .map((name) => [name, Math.min(...words.map((word) => share(word, name.toLowerCase())))])
        .filter(([, least]) => least < 0.4)
        .sort(([, a], [, b]) => a - b).slice(0, most).map(([name]) => name);
    }

    /**
     * The things that answer a question, the best first: each with its score, the name that fits best,
     * whether it has each word of the question, and the words of the index that those stand for.
     * Those with less than a share of the best one's score are left out.
     */
    search(question, share) {
      const terms = this.#terms(question);
      const total = terms.reduce((sum, { weight }) => sum + weight, 0);
      if (!terms.length || !total) return [];
      const matchIn = (words, { found }) => {
        let best = 0;
        for (const [word, quality] of found) if (quality > best && words.has(word)) best = quality;
        return best;
      };
      const found = new Set(terms.flatMap((term) => [...term.found.keys()]));
      const results = [];
      for (const { thing, names, text, length } of this.#things) {
        const best = terms.map(() => 0);
        let named = 0;
        let bestName = null;
        for (const { name, parts, words } of names) {
          const matches = terms.map((term) => term.weight * matchIn(words, term));
          const common = matches.reduce((sum, match) => sum + match, 0);
          if (!common) continue;
          const fit = name[1] * (0.4 + 0.6 * this.#share(parts, found));
          if (fit * common / total > named) {
            named = fit * common / total;
            bestName = name;
          }
          matches.forEach((match, i) => (best[i] = Math.max(best[i], fit * match)));
        }
        let told = 0;
        const has = terms.map((term, i) => {
          let count = 0;
          for (const [word, quality] of term.found) count += quality * (text.get(word) ?? 0);
          told += term.weight * count / (count + 0.5 + 1.5 * length / this.#average);
          return best[i] > 0 || count > 0;
        });
        const covered = terms.reduce((sum, { weight }, i) => sum + (has[i] ? weight : 0), 0) / total;
        if (!covered) continue;
        const spread = best.reduce((sum, value) => sum + value, 0) / total;
        const score = (thing.boost ?? 1) * covered * (2 * named + spread + told / total);
        results.push({
          thing, score, found, name: bestName, words: terms.map(({ text }, i) => [text, has[i]]),
        });
      }
      results.sort((a, b) => b.score - a.score);
      const least = share * (results[0]?.score ?? 0);
      return results.filter(({ score }) => score >= least);
    }
  }

  return { Index, wordsOf };
})();
