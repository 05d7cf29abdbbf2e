"""The papers' guarantees as functions: bounds, the margins that they need, the best margin on given data, and adversaries.

There is one file per paper. Names of functions for Predtron begin with ``predtron_``. ``as_printed`` has the formulas that are
printed differently from what their proofs give. `certificate` compares a model's loss with its bound, and bounds its future loss.
"""

from typing import TYPE_CHECKING

from ..core.measures import ndcg_smallest_loss as ndcg_smallest_loss
from . import as_printed as as_printed
from .certificates import Certificate as Certificate
from .certificates import certificate as certificate
from .chaudhuri_tewari import bottom_lists as bottom_lists
from .chaudhuri_tewari import list_duel as list_duel
from .chaudhuri_tewari import list_loss_at_least as list_loss_at_least
from .chaudhuri_tewari import list_margin as list_margin
from .chaudhuri_tewari import minimax_loss as minimax_loss
from .chaudhuri_tewari import minimax_loss_inseparable as minimax_loss_inseparable
from .chaudhuri_tewari import minimax_surrogate as minimax_surrogate
from .chaudhuri_tewari import perceptron_mistakes as perceptron_mistakes
from .chaudhuri_tewari import perceptron_mistakes_inseparable as perceptron_mistakes_inseparable
from .chaudhuri_tewari import place_weights as place_weights
from .chaudhuri_tewari import slam_gradient as slam_gradient
from .chaudhuri_tewari import slam_loss as slam_loss
from .chaudhuri_tewari import slam_loss_at_cutoff as slam_loss_at_cutoff
from .chaudhuri_tewari import slam_loss_at_step as slam_loss_at_step
from .chaudhuri_tewari import slam_loss_inseparable as slam_loss_inseparable
from .chaudhuri_tewari import slam_surrogate as slam_surrogate
from .chaudhuri_tewari import slam_theory_step as slam_theory_step
from .chaudhuri_tewari import weight_ratio as weight_ratio
from .crammer_singer import duel as duel
from .crammer_singer import halving as halving
from .crammer_singer import margin as margin
from .crammer_singer import missed as missed
from .crammer_singer import muprank_loss as muprank_loss
from .crammer_singer import muprank_loss_at_theory_step as muprank_loss_at_theory_step
from .crammer_singer import muprank_theory_step as muprank_theory_step
from .crammer_singer import noprank_loss as noprank_loss
from .crammer_singer import noprank_mistakes as noprank_mistakes
from .crammer_singer import noprank_weights as noprank_weights
from .crammer_singer import oap_updates as oap_updates
from .crammer_singer import orthogonal_rows as orthogonal_rows
from .crammer_singer import prank_loss as prank_loss
from .crammer_singer import prank_loss_inseparable as prank_loss_inseparable
from .crammer_singer import prank_loss_inseparable_tighter as prank_loss_inseparable_tighter
from .crammer_singer import prank_loss_tighter as prank_loss_tighter
from .crammer_singer import siprank_mistakes as siprank_mistakes
from .crammer_singer import spiral as spiral
from .future import future_loss as future_loss
from .future import future_loss_fixed as future_loss_fixed
from .guarantees import Guarantee as Guarantee
from .jain_natarajan_tewari import predtron_best_step as predtron_best_step
from .jain_natarajan_tewari import predtron_binary_margin as predtron_binary_margin
from .jain_natarajan_tewari import predtron_binary_mistakes as predtron_binary_mistakes
from .jain_natarajan_tewari import predtron_class_margin as predtron_class_margin
from .jain_natarajan_tewari import predtron_error_set_rounds as predtron_error_set_rounds
from .jain_natarajan_tewari import predtron_hamming_loss as predtron_hamming_loss
from .jain_natarajan_tewari import predtron_label_ranking_margin as predtron_label_ranking_margin
from .jain_natarajan_tewari import predtron_link_radius as predtron_link_radius
from .jain_natarajan_tewari import predtron_list_margin as predtron_list_margin
from .jain_natarajan_tewari import predtron_loss as predtron_loss
from .jain_natarajan_tewari import predtron_loss_at_step as predtron_loss_at_step
from .jain_natarajan_tewari import predtron_loss_driven as predtron_loss_driven
from .jain_natarajan_tewari import predtron_margin as predtron_margin
from .jain_natarajan_tewari import predtron_multilabel_margin as predtron_multilabel_margin
from .jain_natarajan_tewari import predtron_ndcg_loss as predtron_ndcg_loss
from .jain_natarajan_tewari import predtron_ndcg_loss_sparse as predtron_ndcg_loss_sparse
from .jain_natarajan_tewari import predtron_norm as predtron_norm
from .jain_natarajan_tewari import predtron_ordinal_loss as predtron_ordinal_loss
from .jain_natarajan_tewari import predtron_ranking_spread as predtron_ranking_spread
from .jain_natarajan_tewari import predtron_reject_loss as predtron_reject_loss
from .jain_natarajan_tewari import predtron_theory_step as predtron_theory_step
from .jain_natarajan_tewari import predtron_weighted_loss as predtron_weighted_loss
from .predtron_duels import label_halving as label_halving
from .predtron_duels import list_halving as list_halving
from .predtron_duels import predtron_duel as predtron_duel
from .predtron_duels import predtron_label_duel as predtron_label_duel
from .predtron_duels import predtron_staircase as predtron_staircase
from .slack import InseparableDirection as InseparableDirection
from .slack import InseparableRule as InseparableRule
from .slack import ListBound as ListBound
from .slack import best_inseparable as best_inseparable
from .slack import best_inseparable_list as best_inseparable_list
from .slack import list_bound as list_bound
from .widest import Direction as Direction
from .widest import NotSeparable as NotSeparable
from .widest import Rule as Rule
from .widest import best_class_margin as best_class_margin
from .widest import best_list_margin as best_list_margin
from .widest import best_margin as best_margin

if not TYPE_CHECKING:  # type checkers read the imports above
    __all__ = ["as_printed", *(name for name, value in globals().items() if hasattr(value, "__module__") and name[0] != "_")]
