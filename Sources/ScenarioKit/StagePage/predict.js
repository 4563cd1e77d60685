// Predicting: before each step, the reader chooses what happens next.

/** The question that's open, and how many first answers were right. */
const predict = { isOn: false, question: null, asked: 0, right: 0 };

/** Whether an event is worth a question: demand and subscriptions aren't. */
const isTelling = (event) =>
  !["subscription", "request", "request-finished", "note"].includes(event.kind);

const isEnd = (event) => ["finished", "failure", "cancelled", "request-failed", "request-cancelled"]
  .includes(event.kind);

/**
 * What readers often expect instead. Each misconception picks an event of the run that it would
 * expect now, and says why it isn't so.
 */
const misconceptions = [
  {
    // "The subscriber sees it first."
    pick: (events, next) => events.find((event) => isBefore(next, event)
      && event.nanoseconds === next.nanoseconds && event.lane !== next.lane),
    reply: (event) => `Not yet: a signal passes one lane after the other. This is event ${
      event.number}, at the same moment, but later.`,
  },
  {
    // "Then it's over."
    pick: (events, next) => events.find((event) => isBefore(next, event) && isEnd(event)),
    reply: (event) => `It isn't over: this is event ${event.number}, at ${event.time}.`,
  },
  {
    // "It asks the server again."
    pick: (events, next) => events.find((event) =>
      event.kind === "request-started" && isBefore(next, event)),
    reply: (event) => `No request is made here: this is event ${event.number}, at ${event.time}.`,
  },
  {
    // "It takes no time."
    pick: (events, next) => events.find((event) => event.nanoseconds > next.nanoseconds),
    reply: (event) => `That takes longer: this is event ${event.number}, at ${event.time}.`,
  },
  {
    // "It comes again."
    pick: (events, next) => events.findLast((event) => isBefore(event, next)),
    reply: (event) => `That has happened already: it was event ${event.number}, at ${event.time}.`,
  },
];

/** The wrong choices for an event, two at most, each with the reply to a reader who takes it. */
function wrongChoices(next) {
  const choices = [];
  const taken = [next.sentence];
  for (const { pick, reply } of misconceptions) {
    const events = stage.run.events.filter((event) =>
      isTelling(event) && !taken.includes(event.sentence));
    const event = pick(events, next);
    if (!event || choices.length === 2) continue;
    taken.push(event.sentence);
    choices.push({ sentence: event.sentence, reply: reply(event) });
  }
  return choices;
}

/** Asks what happens next, if the next event is worth it. Returns whether it asks. */
function ask() {
  const event = stage.run.events[indexNow() + 1];
  if (!predict.isOn || !event || !isTelling(event)) return false;
  const choices = wrongChoices(event);
  if (choices.length < 2) return false;
  // The same place each time for one event, and another for the next one.
  choices.splice(event.number % 3, 0, { sentence: event.sentence, reply: null });
  predict.question = { event, choices };
  showQuestion();
  byId("choices").querySelector("button").focus();
  return true;
}

/** Goes to the event that was asked for, and says whether the choice was right. */
function answer(choice) {
  const { event } = predict.question;
  if (choice) {
    predict.asked += 1;
    predict.right += choice.reply ? 0 : 1;
  }
  dropQuestion();
  byId("next").focus();
  go(event, { lines: !choice ? [] : [choice.reply
    ? `You chose: ${choice.sentence} ${choice.reply} Next is:` : "Right."] });
}

/** A reader who goes elsewhere doesn't answer any more. */
function dropQuestion() {
  predict.question = null;
  showQuestion();
}

function showQuestion() {
  const { question } = predict;
  byId("question").hidden = !question;
  byId("score").textContent = predict.asked
    ? `${predict.right} of ${predict.asked} right at the first try` : "";
  byId("choices").replaceChildren(...(question ? question.choices : []).map((choice, index) => {
    const button = make("button", { type: "button" },
      make("kbd", { "aria-hidden": "true" }, String(index + 1)), " ", choice.sentence);
    button.addEventListener("click", () => answer(choice));
    return button;
  }));
}

/** Lets the reader predict from here on, or stops that. There's nothing to predict at the end. */
function setPredicting(isOn) {
  predict.isOn = isOn;
  document.body.classList.toggle("predicting", isOn);
  byId("predict").setAttribute("aria-pressed", String(isOn));
  dropQuestion();
  if (isOn && indexNow() >= stage.run.events.length - 1) go(lastSetup());
  else showMoment();
}

/**
 * Hides the handles of what's still to come, and where the lines of the picture go on. The marks
 * and the other things that tell are hidden by the page's style.
 */
function hideFuture() {
  if (!predict.isOn) return;
  const next = stage.run.events[indexNow() + 1];
  byId("past").setAttribute("width", xOfMoment() + 1);
  for (const [address, handle] of track.handles) {
    const time = timeOf(thingAt(address));
    handle.classList.toggle("later", Boolean(next) && (time ?? Infinity) >= next.nanoseconds);
  }
}
