"""Questions to the shared wikis, written from what their pages and sources say before anything was answered.

A question without pages is one that its wiki does not answer. Of `TUNED` every other one was before the eyes of whoever
tuned the offline answerer; `FRESH` were written afterwards and changed one rule; `ALIKE`, which only sound like what a
wiki says, changed several; `BLIND` changed nothing.
"""

from __future__ import annotations

from typing import NamedTuple


class Asked(NamedTuple):
    """A question to a wiki, the slugs of pages any of which is right, and words any of which the answer must hold."""

    wiki: str
    question: str
    pages: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    workspace: str = ""


TUNED = (
    Asked(
        "citadel-beverages", "How long is the half-life of caffeine in a healthy adult?", ("caffeine",), ("5 hours",)
    ),
    Asked("citadel-beverages", "Who founded Caffè Aurora?", ("caffe-aurora", "lina-marchetti"), ("Lina Marchetti",)),
    Asked(
        "citadel-beverages",
        "What water temperature should be used to whisk matcha?",
        ("matcha-preparation", "matcha"),
        ("70",),
    ),
    Asked(
        "citadel-beverages",
        "How much does a 250 g bag of Aurora Midnight cost in 2026?",
        ("aurora-midnight", "caffe-aurora"),
        ("16",),
    ),
    Asked(
        "citadel-beverages",
        "At what pressure is espresso brewed?",
        ("espresso-bar-culture", "coffee-brewing", "coffee"),
        ("nine", "9 bar"),
    ),
    Asked(
        "citadel-beverages",
        "Which country is the largest producer of coffee?",
        ("history-of-coffee", "coffee"),
        ("Brazil",),
    ),
    Asked("citadel-beverages", "How much caffeine is in a cup of white tea?", ("caffeine", "tea"), ("30",)),
    Asked("citadel-beverages", "How much caffeine is in a cup of yerba mate?"),
    Asked("citadel-beverages", "In which year was Cordwell Roastworks founded?"),
    Asked("citadel-beverages", "Who invented the espresso machine?"),
    Asked(
        "citadel-beverages",
        "What extraction yield does the SCA Golden Cup call for?",
        ("coffee-brewing", "ey-extraction-yield", "specialty-coffee-association"),
        ("18",),
    ),
    Asked(
        "citadel-beverages",
        "Which amino acid gives tea its calm alertness?",
        ("l-theanine", "caffeine", "tea"),
        ("heanine",),
    ),
    Asked(
        "citadel-beverages",
        "What happens to matcha if the water is too hot?",
        ("matcha-preparation", "matcha"),
        ("bitter",),
    ),
    Asked("citadel-beverages", "How long should cold brew be steeped?", ("coffee-brewing", "caffeine"), ("12",)),
    Asked(
        "citadel-beverages",
        "Does Robusta have more caffeine than Arabica?",
        ("robusta", "arabica", "caffeine"),
        ("twice",),
    ),
    Asked(
        "citadel-beverages",
        "When did Thornbury & Lin first bring tea to England?",
        ("thornbury-lin", "history-of-tea", "sir-edmund-thornbury", "mei-lin"),
        ("1650", "1657"),
    ),
    Asked("citadel-beverages", "What are the steps of the Aurora Ritual?", ("aurora-ritual",), ("sip", "smell")),
    Asked("citadel-beverages", "Does drinking coffee dehydrate you?", ("caffeine",), ("dehydrat",)),
    Asked("citadel-beverages", "What is the caffeine content of Harbour Blonde in milligrams?"),
    Asked("citadel-beverages", "How many Starbucks cafés are there in Trieste?"),
    Asked("citadel-beverages", "What is the boiling point of caffeine?"),
    Asked("citadel-beverages", "How long is the half-life of theobromine?"),
    Asked(
        "citadel-gazette",
        "How many microplastic particles per litre were found in Black Tarn?",
        ("microplastic-accumulation-in-alpine-tarns",),
        ("1,180",),
    ),
    Asked(
        "citadel-gazette",
        "When did the new telescope at Cinder Peak achieve first light?",
        ("cinder-peak-observatory",),
        ("1 May 2026",),
    ),
    Asked("citadel-gazette", "What is anhydrobiosis?", ("cryptobiosis",), ("water",)),
    Asked("citadel-gazette", "Which satellite carried the tardigrades into orbit?", ("tardigrade",), ("FOTON-M3",)),
    Asked("citadel-gazette", "What sugar does a tardigrade use to survive drying?", ("tardigrade",), ("trehalose",)),
    Asked("citadel-gazette", "How many microplastic particles per litre were found in Lake Geneva?"),
    Asked("citadel-gazette", "Who is the mayor of Cinder Peak?"),
    Asked("citadel-gazette", "How long can a tardigrade survive in boiling water?"),
    Asked(
        "llm-wiki-bootstrap",
        "What are the three layers of the LLM wiki architecture?",
        ("three-layer-architecture", "core-idea", "karpathy-llm-wiki-video-transcript-summary", "glossary"),
        ("schema",),
    ),
    Asked(
        "llm-wiki-bootstrap",
        "Who owns the wiki layer?",
        ("layer-wiki", "three-layer-architecture", "glossary"),
        ("LLM",),
    ),
    Asked(
        "llm-wiki-bootstrap",
        "Why do humans abandon wikis?",
        ("division-of-labor", "karpathy-llm-wiki-video-transcript-summary", "core-idea", "operation-lint"),
        ("maintenance",),
    ),
    Asked(
        "llm-wiki-bootstrap",
        "What is the problem with naive RAG?",
        ("problem-with-naive-rag", "core-idea", "karpathy-llm-wiki-video-transcript-summary", "glossary"),
    ),
    Asked("llm-wiki-bootstrap", "What does the lint operation check for?", ("operation-lint", "commands", "glossary")),
    Asked(
        "llm-wiki-bootstrap",
        "What did Google leave out of the Open Knowledge Format?",
        (
            "division-of-labor",
            "open-knowledge-format",
            "devsplainers-okf-llm-wiki-video-transcript-summary",
            "okf-vs-llm-wiki-bootstrap",
        ),
    ),
    Asked("llm-wiki-bootstrap", "How many stars does the repository have on GitHub?"),
    Asked("llm-wiki-bootstrap", "What is the capital of Portugal?"),
    Asked(
        "ai-engineering-ko",
        "컨텍스트 압축이란 무엇인가?",
        ("Context_Compression", "Advanced_Retrieval", "Context_Engineering"),
    ),
    Asked("ai-engineering-ko", "LLM Lingua는 누가 개발했나?", ("Context_Compression",), ("Microsoft",)),
    Asked("ai-engineering-ko", "시맨틱 캐시는 무엇인가?", ("Semantic_Cache", "Memory_and_Semantic_Cache")),
    Asked("ai-engineering-ko", "What is the lost in the middle problem?", ("Lost_in_the_Middle",)),
    Asked("ai-engineering-ko", "What does QLoRA add to LoRA?", ("PEFT_LoRA_QLoRA",)),
    Asked("ai-engineering-ko", "서울의 인구는 몇 명인가?"),
    Asked("ai-engineering-ko", "김치찌개는 어떻게 끓이나?"),
    Asked("ai-engineering-ko", "Who won the football world cup in 2018?"),
    Asked(
        "okf-bundles",
        "How is gross margin computed at Acme Retail?",
        ("gross-margin", "gross-margin-period", "margin-standard", "gross-margin-legacy"),
        workspace="acme_retail",
    ),
    Asked(
        "okf-bundles", "What are the vote types on Stack Overflow?", ("vote_types", "votes"), workspace="stackoverflow"
    ),
    Asked(
        "okf-bundles",
        "When is revenue recognized under the Acme policy?",
        ("revenue-recognition", "revenue"),
        workspace="acme_retail",
    ),
    Asked("okf-bundles", "How many employees does Acme Retail have?", workspace="acme_retail"),
)
TEN = TUNED[:10]
"""The ten of citadel-beverages that the contract asks for: seven that it answers, three that only sound alike."""
FRESH = (
    Asked(
        "citadel-beverages",
        "How long should coffee steep in a French press?",
        ("coffee-brewing",),
        ("4 minutes", "four minutes"),
    ),
    Asked("citadel-beverages", "Where did tea originate?", ("history-of-tea", "tea"), ("China",)),
    Asked("citadel-beverages", "Who was Mei Lin?", ("mei-lin", "thornbury-lin")),
    Asked(
        "citadel-beverages", "How much discount do subscribers of Caffè Aurora get?", ("caffe-aurora",), ("10%", "10 %")
    ),
    Asked("citadel-beverages", "What is the boiling point of ethanol?"),
    Asked("citadel-beverages", "How many employees does Thornbury & Lin have?"),
    Asked("citadel-beverages", "What is crema made of?", ("espresso-bar-culture",), ("oil",)),
    Asked("citadel-beverages", "How much caffeine may a pregnant woman have per day?", ("caffeine",), ("200 mg",)),
    Asked(
        "citadel-beverages",
        "What TDS does espresso have?",
        ("coffee-brewing", "caffeine", "tds-total-dissolved-solids"),
        ("8-12", "8–12"),
    ),
    Asked("citadel-beverages", "How many calories are in a cup of black coffee?"),
    Asked("citadel-beverages", "Which Japanese city grows the best matcha?"),
    Asked("citadel-beverages", "What is the difference between washed and natural coffee?", ("coffee-processing",)),
    Asked(
        "citadel-gazette",
        "Who wrote the preprint on microplastics in alpine tarns?",
        ("microplastic-accumulation-in-alpine-tarns",),
        ("Halvorsen",),
    ),
    Asked(
        "citadel-gazette", "When does the observatory reopen to visitors?", ("cinder-peak-observatory",), ("18 April",)
    ),
    Asked("citadel-gazette", "What is the diameter of the moon?"),
    Asked("llm-wiki-bootstrap", "Who is Dr. Alma Voss?", ("dr-alma-voss",)),
    Asked(
        "llm-wiki-bootstrap",
        "What are the four principles?",
        ("four-principles", "karpathy-llm-wiki-video-transcript-summary", "glossary"),
    ),
    Asked("llm-wiki-bootstrap", "What does the Quortex protocol do?", ("quortex-protocol",)),
    Asked("llm-wiki-bootstrap", "What is the price of bitcoin?"),
    Asked("ai-engineering-ko", "What is HyDE?", ("HyDE",)),
    Asked("ai-engineering-ko", "GraphRAG는 무엇인가?", ("GraphRAG", "Ontology", "Knowledge_Graph")),
    Asked("ai-engineering-ko", "청킹 전략이란 무엇인가?", ("Chunking_Strategies",)),
    Asked("ai-engineering-ko", "What is the average salary of an AI engineer in Korea?"),
    Asked("ai-engineering-ko", "토끼는 무엇을 먹나?"),
)
BLIND = (
    Asked(
        "citadel-beverages",
        "What brewing water temperature does the SCA recommend?",
        ("coffee-brewing", "specialty-coffee-association"),
        ("93", "90"),
    ),
    Asked(
        "citadel-beverages",
        "Which roast does Caffè Aurora rest for 60 hours?",
        ("aurora-midnight", "caffe-aurora"),
        ("Midnight",),
    ),
    Asked("citadel-beverages", "What is a chasen?", ("matcha-preparation",), ("whisk",)),
    Asked("citadel-beverages", "How much does Dolce Decaf cost?", ("dolce-decaf", "caffe-aurora"), ("15",)),
    Asked("citadel-gazette", "What do tardigrades use trehalose for?", ("tardigrade",), ("trehalose",)),
    Asked("citadel-gazette", "How large is the aperture of the new telescope?", ("cinder-peak-observatory",), ("1.2",)),
    Asked(
        "llm-wiki-bootstrap",
        "Which file does the ingest append to?",
        ("ingest-pipeline", "operation-ingest", "karpathy-video-slide-ingest-pipeline-summary"),
        ("log",),
    ),
    Asked("ai-engineering-ko", "What is MCP?", ("MCP", "Agent_Skills_and_Protocols")),
    Asked("citadel-beverages", "Who is the current owner of Thornbury & Lin?"),
    Asked("citadel-beverages", "How many cups of tea are drunk in England each day?"),
    Asked("citadel-beverages", "What is the chemical formula of caffeine?"),
    Asked("citadel-beverages", "When did Lina Marchetti die?"),
    Asked("citadel-gazette", "What is the magnitude of the brightest star seen?"),
    Asked("citadel-gazette", "How heavy is the 1.2-metre telescope?"),
    Asked("llm-wiki-bootstrap", "How long does an ingest take?"),
    Asked("ai-engineering-ko", "Who founded OpenAI?"),
)
ALIKE = (
    Asked("citadel-beverages", "Who founded Cordwell Roastworks?"),
    Asked("citadel-beverages", "When was Aurora Midnight first roasted?"),
    Asked("citadel-beverages", "How much does a 500 g bag of Harbour Blonde cost?"),
    Asked("citadel-beverages", "How much caffeine is in a cup of hibiscus tea?"),
    Asked("citadel-beverages", "Which country is the largest consumer of coffee?"),
    Asked("citadel-beverages", "Who is Lina Marchetti's husband?"),
    Asked("citadel-beverages", "What pressure is used in a moka pot?"),
    Asked("citadel-beverages", "How many cafés does Caffè Aurora have?"),
    Asked("citadel-beverages", "In what year did Thornbury & Lin close?"),
    Asked("citadel-beverages", "What is the shelf life of roasted coffee beans in years?"),
    Asked("citadel-beverages", "Which airline serves Caffè Aurora coffee?"),
    Asked("citadel-beverages", "How tall is a coffee tree?"),
    Asked("citadel-gazette", "What is the mass of a tardigrade?"),
    Asked("citadel-gazette", "Who discovered tardigrades?"),
    Asked("citadel-gazette", "How much did the new telescope cost?"),
    Asked("citadel-gazette", "How deep is Black Tarn?"),
    Asked("llm-wiki-bootstrap", "Who is the CEO of Google?"),
    Asked("llm-wiki-bootstrap", "How many pages may a wiki have at most?"),
    Asked("llm-wiki-bootstrap", "Which license does Obsidian have?"),
    Asked("llm-wiki-bootstrap", "When was RAG invented?"),
)
